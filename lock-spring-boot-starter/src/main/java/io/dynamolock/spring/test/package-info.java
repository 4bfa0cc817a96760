/** For tests of code that uses locks. */
@NullMarked
package io.dynamolock.spring.test;

import org.jspecify.annotations.NullMarked;
