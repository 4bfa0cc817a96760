/**
 * The event loop on which all state of a registry's engine lives, and alarms on it. Read {@link
 * io.dynamolock.internal.loop.EventLoop} first. The packages further out use it; it uses only {@code time}.
 */
@NullMarked
package io.dynamolock.internal.loop;

import org.jspecify.annotations.NullMarked;
