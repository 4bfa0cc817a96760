/**
 * Computes keys: from the expression in an annotation to the text in the table. Internal to the starter.
 *
 * <ol>
 *   <li>{@link io.dynamolock.spring.internal.keys.MethodExpression} is the key or condition of one method. It parses
 *       the expression, refuses an expression that can never work, and evaluates it at every call. Read it first.
 *   <li>{@link io.dynamolock.spring.internal.keys.KeyRendering} turns the value into the text of the key, or a
 *       collection into several. Equal values give equal texts. A type that cannot promise that is refused.
 * </ol>
 */
@NullMarked
package io.dynamolock.spring.internal.keys;

import org.jspecify.annotations.NullMarked;
