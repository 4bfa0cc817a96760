/**
 * The engine as a registry sees it. {@code LockEngine} is the port that the registry calls. {@code PausableEngine}
 * stands behind it and puts one {@code Engine} after another, with pauses between. {@code Inspections} answers what
 * people ask for: reads of locks and their sessions, other numbers of permits, evictions.
 *
 * <p>Read {@code LockEngine} first. Tests put an engine of their own behind it.
 */
@NullMarked
package io.dynamolock.internal.process;

import org.jspecify.annotations.NullMarked;
