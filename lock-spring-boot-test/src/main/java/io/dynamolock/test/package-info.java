/** What tests of applications with locks need. */
@NullMarked
package io.dynamolock.test;

import org.jspecify.annotations.NullMarked;
