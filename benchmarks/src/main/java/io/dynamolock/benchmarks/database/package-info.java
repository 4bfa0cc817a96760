/**
 * The DynamoDB that everything is measured on. Every client has the same injected round trip, and its calls are
 * counted. Read {@link io.dynamolock.benchmarks.database.Database} first.
 */
@NullMarked
package io.dynamolock.benchmarks.database;

import org.jspecify.annotations.NullMarked;
