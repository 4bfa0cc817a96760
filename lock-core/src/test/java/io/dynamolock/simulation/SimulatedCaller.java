package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.Acquisition;
import io.dynamolock.engine.Grant;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of {@code acquire}, and all that came of it. */
final class SimulatedCaller {

    final String name;
    final Member member;
    final AcquireSpec spec;
    final long order;
    final long arrivedAt;
    final long arrivedByOwnClock;
    final long stalledBefore;

    /** What was heard of it. */
    final List<String> heard = new ArrayList<>(3);

    @Nullable
    Acquisition acquisition;

    @Nullable
    AcquireOutcome outcome;

    @Nullable
    Grant grant;

    @Nullable
    SessionId session;

    /** The block that it holds the lock with, {@code null} if that stood in an item that was removed. */
    @Nullable
    BlockId block;

    /** What the release said. */
    @Nullable
    Boolean saidItHeld;

    long grantedAt;
    long grantedByOwnClock;
    long endedAt = Long.MAX_VALUE;
    /** As what it holds the lock. */
    Kind kind;
    /** A writer has asked to go on as a reader, and the answer is not there yet. */
    boolean isDowngrading;

    boolean released;
    /** It gave the lock back before anyone took it away. */
    boolean releasedInTime;

    boolean abandoned;
    boolean afterShutdown;
    int timesToldOfLoss;

    SimulatedCaller(Member member, AcquireSpec spec, long order, long now) {
        this.member = member;
        this.spec = spec;
        this.kind = spec.kind();
        this.name = spec.name();
        this.order = order;
        this.arrivedAt = now;
        this.arrivedByOwnClock = member.process.clock().nanos();
        this.stalledBefore = member.process.stalledNanos();
    }

    LockKey key() {
        return spec.key();
    }

    boolean isWaiting() {
        return outcome == null;
    }

    void release() {
        Grant mine = grant;
        // Who has left gives nothing back any more: its leaving must have done so.
        if (mine != null && !abandoned) {
            boolean tooLate = !released && isOver();
            boolean again = released;
            gaveBack();
            mine.release().thenAccept(owned -> {
                if (!again) {
                    member.saysItHeld(this, owned, tooLate);
                }
            });
        }
    }

    /** Goes on as a reader. */
    void goesOn(Grant asReader) {
        grant = asReader;
        block = block == null ? null : asReader.block();
        kind = asReader.kind();
    }

    boolean wasWriter() {
        return spec.kind() == Kind.WRITE;
    }

    /** Leaves the queue, or gives back at once what it has just got. */
    void abandon(Acquisition mine) {
        if (kind != spec.kind()) {
            release();
            return;
        }
        abandoned = true;
        if (grant != null) {
            gaveBack();
        }
        mine.abandon();
    }

    private void gaveBack() {
        Grant mine = grant;
        if (mine != null && !released) {
            member.givesBack(this, mine.number());
        }
        released = true;
        releasedInTime |= !heard.contains("lost");
    }

    /** Whether nobody can take the grant for valid any more. Does not ask the grant: that might settle it. */
    private boolean isOver() {
        Duration left = restOfMaxHold();
        return session == null
                || member.link.referee().mayBelieveIn(session).compareTo(Duration.ZERO) <= 0
                || left != null && left.compareTo(Duration.ZERO) <= 0;
    }

    /** How long it may hold the lock still by its own wish, {@code null} if it has set no limit. */
    @Nullable
    Duration restOfMaxHold() {
        Duration maxHold = spec.maxHold();
        return maxHold == null
                ? null
                : maxHold.minusNanos(member.process.clock().nanos() - grantedByOwnClock);
    }

    @Override
    public String toString() {
        return name + " of " + member.name();
    }
}
