/** Which advisor or registry the calls of woven methods go to. Internal to the starter. */
@NullMarked
package io.dynamolock.spring.internal.woven;

import org.jspecify.annotations.NullMarked;
