/** The port behind which the items lie. */
@NullMarked
package io.dynamolock.internal.store;

import org.jspecify.annotations.NullMarked;
