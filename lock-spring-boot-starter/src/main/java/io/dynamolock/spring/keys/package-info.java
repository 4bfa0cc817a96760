/**
 * The texts of keys for code that locks by hand: {@link io.dynamolock.spring.keys.LockKeys} gives the text that a
 * locked method would give the same value. For applications.
 */
@NullMarked
package io.dynamolock.spring.keys;

import org.jspecify.annotations.NullMarked;
