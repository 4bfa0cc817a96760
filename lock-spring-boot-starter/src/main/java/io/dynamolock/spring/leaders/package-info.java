/**
 * The elections of all {@code @DynamoLeader} beans of a context. Applications inject {@link
 * io.dynamolock.spring.leaders.DynamoLeaders}, which starts and stops the elections, to ask whether this instance
 * leads; read it first. {@code LeaderScan} finds the annotations and refuses mistakes in them. {@code LeaderGroup}
 * calls the beans and methods of one election in their order.
 *
 * <p>{@code LeaderReactions} says what a bean or method does when its instance begins to lead, loses the leadership or
 * gives it up. After a loss, a {@code Lifecycle} bean is stopped without waiting for its work to end ({@code
 * LeaderReactions.stop}), a {@code LeaderListener} hears {@code revoked}, and a method gets a {@code
 * LeaderEvent.Revoked}.
 */
@NullMarked
package io.dynamolock.spring.leaders;

import org.jspecify.annotations.NullMarked;
