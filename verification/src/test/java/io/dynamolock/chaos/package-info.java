/**
 * Real processes on one real DynamoDB Local, while processes are killed and frozen, networks are cut and the database
 * is restarted. Every process writes a history, which is checked afterwards against all promises. Read {@link
 * io.dynamolock.chaos.ChaosRun} first, then {@link io.dynamolock.chaos.Checker}.
 */
package io.dynamolock.chaos;
