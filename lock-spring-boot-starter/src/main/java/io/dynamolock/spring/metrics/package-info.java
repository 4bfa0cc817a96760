/** Micrometer meters. */
@NullMarked
package io.dynamolock.spring.metrics;

import org.jspecify.annotations.NullMarked;
