/**
 * The elections of all {@code @DynamoLeader} beans of a context. Applications inject {@link
 * io.dynamolock.spring.leaders.DynamoLeaders}, which starts and stops the elections, to ask whether this instance
 * leads; read it first. {@code LeaderScan} finds the annotations and refuses mistakes in them. {@code LeaderReactions}
 * says what a bean or method does when its instance begins to lead, loses the leadership or gives it up. {@code
 * LeaderGroup} has the order in which the beans of one election do so.
 */
@NullMarked
package io.dynamolock.spring.leaders;

import org.jspecify.annotations.NullMarked;
