/**
 * Texts of keys, for applications that lock by hand: {@link io.dynamolock.spring.keys.LockKeys} gives a value the same
 * text as a locked method does.
 */
@NullMarked
package io.dynamolock.spring.keys;

import org.jspecify.annotations.NullMarked;
