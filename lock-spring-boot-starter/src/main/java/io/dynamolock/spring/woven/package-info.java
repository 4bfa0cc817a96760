/**
 * Locks by AspectJ instead of Spring's proxies. Applications weave {@link
 * io.dynamolock.spring.woven.DynamoLockedAspect} into their classes, and without a Spring context set the registry by
 * {@link io.dynamolock.spring.woven.WovenLocks}. Read the latter first.
 */
@NullMarked
package io.dynamolock.spring.woven;

import org.jspecify.annotations.NullMarked;
