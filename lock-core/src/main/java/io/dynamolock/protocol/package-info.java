/**
 * The rules of the lock: plain values and pure functions, without clock, thread or call. A step of the protocol says
 * under which conditions it changes a lock's item, and how; the stores carry it out, the engine decides which to take.
 */
@NullMarked
package io.dynamolock.protocol;

import org.jspecify.annotations.NullMarked;
