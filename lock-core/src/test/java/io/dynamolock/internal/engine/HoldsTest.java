package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HoldsTest {

    private static final Moment NOW = new Moment(0);
    private static final LockData LEFT = LockData.of("left");
    private static final Hold.Release RELEASE = new Hold.Release(LEFT, false, ReleaseTerms.AWAITED);

    private final Holds holds = new Holds();
    private final OwnEntry entry = entry(Mode.EXCLUSIVE);

    @Test
    void aWriterLetsNobodyInAndReadersLetReadersIn() {
        Hold writer = grant(Kind.EXCLUSIVE, entry, 1);
        assertThat(holds.allowAnother(Mode.EXCLUSIVE)).isFalse();
        assertThat(holds.allowAnother(Mode.SHARED)).isFalse();
        holds.lose(writer);
        assertThat(holds.allowAnother(Mode.EXCLUSIVE)).isTrue();

        grant(Kind.READ, entry(Mode.SHARED), 2);

        assertThat(holds.allowAnother(Mode.SHARED)).isTrue();
        assertThat(holds.allowAnother(Mode.EXCLUSIVE)).isFalse();
    }

    @Test
    void ticketsRiseEvenIfTheItemShowsASmallerOne() {
        assertThat(grant(Kind.EXCLUSIVE, entry, 7).ticket()).isEqualTo(7);
        assertThat(grant(Kind.EXCLUSIVE, entry, 5).ticket()).isEqualTo(8);
        assertThat(grant(Kind.EXCLUSIVE, entry, 20).ticket()).isEqualTo(20);
    }

    @Test
    void aReleaseLeavesItsDataAndIsDoneWhenTheEntryIsGone() {
        Hold hold = grant(Kind.EXCLUSIVE, entry, 1);

        holds.release(hold, RELEASE);

        assertThat(entry.dataForNext()).isEqualTo(LEFT);
        assertThat(holds.isEmpty()).isTrue();
        assertThat(holds.takeDone(entry -> true)).as("while the entry stands").isEmpty();
        assertThat(holds.areOver()).isFalse();
        assertThat(holds.takeDone(entry -> false)).containsExactly(hold);
        assertThat(holds.areOver()).isTrue();
    }

    @Test
    void aReleaseIsDoneWhenTheLockWasPassedOnUnlessItWasAPermit() {
        Hold permit = grant(Kind.PERMIT, entry(Mode.PERMIT), 1);
        Hold reader = grant(Kind.READ, entry(Mode.SHARED), 2);
        holds.release(permit, RELEASE);
        holds.release(reader, RELEASE);
        assertThat(holds.areReleasingExclusively()).isFalse();

        grant(Kind.READ, entry(Mode.SHARED), 3);

        assertThat(holds.takeDone(entry -> true)).containsExactly(reader);
        assertThat(holds.takeReleasing()).containsExactly(permit);
    }

    @Test
    void theDataOfAnEarlyReleaseIsLeftWhenTheHoldIsOver() {
        Hold hold = grant(Kind.EXCLUSIVE, entry, 1);
        holds.releaseEarly(hold, RELEASE);
        assertThat(entry.dataForNext()).isNull();
        assertThat(holds.contains(hold)).as("the lock stays taken").isTrue();

        holds.lose(hold);

        assertThat(entry.dataForNext()).isEqualTo(LEFT);
    }

    @Test
    void afterAReleaseWithAFenceTheEntryServesNobodyElse() {
        Hold hold = grant(Kind.EXCLUSIVE, entry, 1);

        holds.release(hold, new Hold.Release(null, true, ReleaseTerms.AWAITED));

        assertThat(entry.keepsNextWaiting()).isTrue();
    }

    private Hold grant(Kind kind, OwnEntry entry, long ticketOfSlot) {
        WaitingCaller waiter = new WaitingCaller(Bench.spec(kind, Duration.ofMinutes(1)), ticketOfSlot, NOW);
        return holds.grant(waiter, entry, ticketOfSlot, LockData.EMPTY, NOW);
    }

    private static OwnEntry entry(Mode mode) {
        return new OwnEntry(new Entry.OfSession(SessionId.of(1), 1, mode, 1), NOW, 0, false);
    }
}
