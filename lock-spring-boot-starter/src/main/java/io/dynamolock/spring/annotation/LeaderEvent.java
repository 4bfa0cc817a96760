package io.dynamolock.spring.annotation;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;

/**
 * An event with which a {@link DynamoLeader} method is called. Each {@link Granted} is followed by one {@link Revoked}
 * or {@link Resigned}.
 */
public sealed interface LeaderEvent {

    /** The term that begins or ends. */
    Leadership leadership();

    /**
     * This instance begins to lead, see {@link LeaderListener#granted}.
     *
     * @param leadership the term that begins
     */
    record Granted(Leadership leadership) implements LeaderEvent {}

    /**
     * The leadership is lost, see {@link LeaderListener#revoked}.
     *
     * @param leadership the term that has ended
     */
    record Revoked(Leadership leadership) implements LeaderEvent {}

    /**
     * The leadership is given up, see {@link LeaderListener#resigned}.
     *
     * @param leadership the term that has ended
     */
    record Resigned(Leadership leadership) implements LeaderEvent {}
}
