/**
 * For unit tests of code that uses locks: {@link io.dynamolock.spring.test.UnlockedRegistry} makes registries that lock
 * nothing. Applications call it from their tests; nothing in main code does.
 */
@NullMarked
package io.dynamolock.spring.test;

import org.jspecify.annotations.NullMarked;
