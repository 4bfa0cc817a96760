/**
 * Locks with AspectJ instead of Spring's proxies. Applications weave {@link
 * io.dynamolock.spring.woven.DynamoLockedAspect} into their classes. An application without a Spring context also sets
 * the registry with {@link io.dynamolock.spring.woven.WovenLocks}. Read {@code WovenLocks} first.
 */
@NullMarked
package io.dynamolock.spring.woven;

import org.jspecify.annotations.NullMarked;
