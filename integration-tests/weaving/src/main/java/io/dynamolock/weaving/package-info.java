/**
 * Classes that AspectJ weaves at compile time. The tests beside them have others, woven when they are loaded. Read
 * {@link io.dynamolock.weaving.Work} first: the methods that each way of weaving must lock.
 */
@NullMarked
package io.dynamolock.weaving;

import org.jspecify.annotations.NullMarked;
