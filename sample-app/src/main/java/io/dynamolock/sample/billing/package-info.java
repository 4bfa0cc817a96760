/** What is done about orders, each in another way of using locks. */
@NullMarked
package io.dynamolock.sample.billing;

import org.jspecify.annotations.NullMarked;
