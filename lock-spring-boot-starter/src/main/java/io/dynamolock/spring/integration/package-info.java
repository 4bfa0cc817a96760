/** The locks as Spring Integration knows them. */
@NullMarked
package io.dynamolock.spring.integration;

import org.jspecify.annotations.NullMarked;
