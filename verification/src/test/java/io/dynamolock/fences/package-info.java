/**
 * Fenced writes under contention, and fencing tokens in PostgreSQL. Read
 * {@link io.dynamolock.fences.PostgresFencingTest} first.
 */
package io.dynamolock.fences;
