/** What the starter sets up, and the properties that change it. */
@NullMarked
package io.dynamolock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
