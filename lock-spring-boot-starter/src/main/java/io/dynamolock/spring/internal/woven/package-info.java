/** Decides from which context or registry woven methods take their locks. Internal to the starter. */
@NullMarked
package io.dynamolock.spring.internal.woven;

import org.jspecify.annotations.NullMarked;
