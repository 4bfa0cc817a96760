/** Not for applications. */
@NullMarked
package io.dynamolock.spring.internal;

import org.jspecify.annotations.NullMarked;
