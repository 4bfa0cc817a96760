/**
 * What users keep in the item of a lock: {@link io.dynamolock.data.LockData} is the only class. It is public API. The
 * other packages pass data on unchanged, and this package knows none of them.
 */
@NullMarked
package io.dynamolock.data;

import org.jspecify.annotations.NullMarked;
