/**
 * What a client reads when a request failed, and what a browser may do. Read {@link io.dynamolock.sample.web.Problems}
 * first. Nothing outside calls this package.
 */
@NullMarked
package io.dynamolock.sample.web;

import org.jspecify.annotations.NullMarked;
