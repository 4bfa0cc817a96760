package io.dynamolock.internal.time;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When something is due: a {@link Moment}, or never. */
public final class Deadline {

    public static final Deadline NEVER = new Deadline(null);

    private final @Nullable Moment moment;

    private Deadline(@Nullable Moment moment) {
        this.moment = moment;
    }

    public static Deadline at(Moment moment) {
        return new Deadline(moment);
    }

    public static Deadline earlier(Deadline one, Deadline other) {
        if (one.moment == null) {
            return other;
        }
        return other.moment != null && other.moment.isBefore(one.moment) ? other : one;
    }

    /** The earlier of this deadline and the moment. */
    public Deadline orAt(Moment other) {
        return earlier(this, at(other));
    }

    public boolean isNever() {
        return moment == null;
    }

    /** Whether the moment has come, or has passed. */
    public boolean isPast(Moment now) {
        return moment != null && !now.isBefore(moment);
    }

    public boolean isBefore(Deadline other) {
        return moment != null && (other.moment == null || moment.isBefore(other.moment));
    }

    /**
     * How much time is left; not more than zero once the deadline is past.
     *
     * @throws IllegalStateException if it never comes
     */
    public Duration remaining(Moment now) {
        if (moment == null) {
            throw new IllegalStateException("what never comes has no time left that could be told");
        }
        return moment.since(now);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Deadline deadline && Objects.equals(moment, deadline.moment);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(moment);
    }

    @Override
    public String toString() {
        return moment == null ? "never" : "at " + moment.nanos();
    }
}
