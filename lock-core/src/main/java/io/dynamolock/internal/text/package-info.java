/** Text as people see it. */
@NullMarked
package io.dynamolock.internal.text;

import org.jspecify.annotations.NullMarked;
