/** What a client reads when a request failed. */
@NullMarked
package io.dynamolock.sample.web;

import org.jspecify.annotations.NullMarked;
