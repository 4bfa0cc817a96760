/** Many orders of one customer at the same moment, and what became of them. */
@NullMarked
package io.dynamolock.sample.rush;

import org.jspecify.annotations.NullMarked;
