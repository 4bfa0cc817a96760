/** The DynamoDB that everything is measured on: its round trip is injected, its calls are counted. */
@NullMarked
package io.dynamolock.benchmarks.database;

import org.jspecify.annotations.NullMarked;
