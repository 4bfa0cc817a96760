/** A look at the locks. */
@NullMarked
package io.dynamolock.sample.locks;

import org.jspecify.annotations.NullMarked;
