/**
 * What stands behind the public packages, in packages of their own. {@link io.dynamolock.internal.Internals} is the
 * only internal class that {@code io.dynamolock} knows. Each package knows only packages further down in this list:
 *
 * <ol>
 *   <li>{@code builder}: checks the settings and puts a registry together.
 *   <li>{@code admin}: what operators see and do, and the table.
 *   <li>{@code registry}: turns users' calls into the engine's.
 *   <li>{@code elections}: leaders.
 *   <li>{@code handles}: handles on grants; requests and failures in the words of engine and users.
 *   <li>{@code fences}: fenced writes.
 *   <li>{@code process}: one engine after another, with pauses between, and the reads and writes that people ask for.
 *   <li>{@code threads}: threads, listeners and observers.
 *   <li>{@code engine}: all that a process knows and wants of its locks.
 *   <li>{@code store}: the port to the table, with {@code store.memory} and {@code store.dynamodb} behind it.
 *   <li>{@code text}: names and texts as messages show them.
 *   <li>{@code protocol}: the rules, as values and pure functions.
 *   <li>{@code loop}: the event loop, and alarms on it.
 *   <li>{@code time}: clocks, moments, deadlines and durations.
 *   <li>{@code collection}: a bounded map.
 * </ol>
 *
 * <p>Above all of them, {@code testbed} has what {@code lock-spring-boot-test} needs of the core. No other package uses
 * it.
 */
@NullMarked
package io.dynamolock.internal;

import org.jspecify.annotations.NullMarked;
