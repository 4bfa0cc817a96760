/**
 * How a key is computed, from the text in an annotation to the text in the table. Internal to the starter.
 *
 * <ol>
 *   <li>{@link io.dynamolock.spring.internal.keys.MethodExpression} is the key or condition of one method: it parses
 *       the expression, refuses what can never work, and evaluates it at every call. Read it first.
 *   <li>{@link io.dynamolock.spring.internal.keys.KeyRendering} makes the text of the value, or of each of several:
 *       equal values give equal texts, and what cannot promise that is refused.
 * </ol>
 */
@NullMarked
package io.dynamolock.spring.internal.keys;

import org.jspecify.annotations.NullMarked;
