/** A small service that a newcomer can run and break. */
@NullMarked
package io.dynamolock.sample;

import org.jspecify.annotations.NullMarked;
