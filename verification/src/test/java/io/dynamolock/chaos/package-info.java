/**
 * Real processes on one real DynamoDB Local while processes are killed and frozen, networks are cut and the database is
 * restarted; what they saw is recorded and checked afterwards.
 */
package io.dynamolock.chaos;
