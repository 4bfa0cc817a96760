/**
 * What stands above the engine: pauses between one engine and the next, and what people ask for and see of locks.
 */
@NullMarked
package io.dynamolock.internal;

import org.jspecify.annotations.NullMarked;
