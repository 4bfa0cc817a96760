/** What users keep in the item of a lock. All other packages pass it on as it is. */
@NullMarked
package io.dynamolock.data;

import org.jspecify.annotations.NullMarked;
