/**
 * The elections of all {@code @DynamoLeader} beans of a context. Applications inject {@link
 * io.dynamolock.spring.leaders.DynamoLeaders} to ask whether this instance leads; the class also finds the annotations,
 * refuses mistakes in them, and starts and stops the elections.
 */
@NullMarked
package io.dynamolock.spring.leaders;

import org.jspecify.annotations.NullMarked;
