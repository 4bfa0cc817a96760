/** The locks as ShedLock knows them. */
@NullMarked
package io.dynamolock.spring.shedlock;

import org.jspecify.annotations.NullMarked;
