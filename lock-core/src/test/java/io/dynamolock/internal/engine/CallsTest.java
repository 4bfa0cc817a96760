package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CallsTest {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Moment START = new Moment(0);
    private static final StoreFailure OUTAGE = new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "test", null);

    private final Calls calls = new Calls(LEASE);

    @Test
    void onlyAReleaseEndsTheWaitForTheAnswerToAnEditAndOnlyOnce() {
        calls.sent(edit());
        assertThat(calls.editAwaitedUntil(false)).isEqualTo(Deadline.NEVER);
        assertThat(calls.editAwaitedUntil(true)).isEqualTo(Deadline.at(START.plus(Duration.ofMillis(250))));

        calls.stopAwaitingEdit();
        assertThat(calls.isEditUnderWay()).isFalse();
        SentEdit next = edit();
        calls.sent(next);
        assertThat(calls.editAwaitedUntil(true)).isEqualTo(Deadline.NEVER);

        calls.ended(next);
        calls.sent(edit());
        assertThat(calls.editAwaitedUntil(true)).isNotEqualTo(Deadline.NEVER);
    }

    @Test
    void theEndOfAnEditNoLongerAwaitedTellsNothingAboutTheOneUnderWay() {
        SentEdit noLongerAwaited = edit();
        calls.sent(noLongerAwaited);
        calls.stopAwaitingEdit();
        SentEdit underWay = edit();
        calls.sent(underWay);

        calls.ended(noLongerAwaited);

        assertThat(calls.isUnderWay(underWay)).isTrue();
    }

    @Test
    void theEndOfAnotherReadTellsNothingAboutTheOneUnderWay() {
        calls.sent(new SentRead(true, START));

        calls.ended(new SentRead(true, START));

        assertThat(calls.areUnderWay()).isTrue();
    }

    @Test
    void aFailureIsFollowedByPausesThatDoubleUntilTheStoreAnswers() {
        calls.editFailed(OUTAGE, START);
        assertThat(calls.editPauseEnd()).isEqualTo(Deadline.at(START.plus(FIRST_PAUSE)));
        calls.editFailed(OUTAGE, START);
        assertThat(calls.editPauseEnd()).isEqualTo(Deadline.at(START.plus(FIRST_PAUSE.multipliedBy(2))));
        assertThat(calls.areEditsPausing(START)).isTrue();
        assertThat(calls.failure()).isSameAs(OUTAGE);

        calls.editSucceeded();

        assertThat(calls.areEditsPausing(START)).isFalse();
        assertThat(calls.failure()).isNull();
        calls.editFailed(OUTAGE, START);
        assertThat(calls.editPauseEnd()).isEqualTo(Deadline.at(START.plus(FIRST_PAUSE)));
    }

    @Test
    void editsAndReadsHaveTheirOwnPausesAndFailures() {
        StoreFailure ofRead = new StoreFailure(StoreFailure.Kind.THROTTLED, "test", null);
        calls.editFailed(OUTAGE, START);
        assertThat(calls.areReadsPausing(START)).isFalse();
        calls.readFailed(ofRead, START);
        calls.readFailed(ofRead, START);
        assertThat(calls.readPauseEnd()).isEqualTo(Deadline.at(START.plus(FIRST_PAUSE.multipliedBy(2))));
        assertThat(calls.editPauseEnd()).isEqualTo(Deadline.at(START.plus(FIRST_PAUSE)));

        calls.readSucceeded();
        assertThat(calls.failure()).as("of edits").isSameAs(OUTAGE);
        assertThat(calls.areEditsPausing(START)).isTrue();

        calls.readFailed(ofRead, START);
        calls.editSucceeded();
        assertThat(calls.failure()).as("of reads").isSameAs(ofRead);
    }

    @Test
    void anEditThatMayHaveLandedIsLookedForOnceAtOnceAndIfItAppendsOnceALeaseLater() {
        OwnEntry entry = new OwnEntry(new Entry.OfSession(SessionId.of(1), 1, Mode.EXCLUSIVE, 1), START, 1, false);
        Edit append = new Edit(new TreeMap<>(), null, List.of(entry.entry()), 1, 0, false, null, 0, 0);
        SentEdit call = new SentEdit(append, List.of(entry), START);
        Moment later = START.plus(FIRST_PAUSE);
        calls.mayHaveLanded(call, START);
        assertThat(calls.mayAppend()).isTrue();
        calls.mayHaveLanded(call, later);
        assertThat(calls.lookDue()).isEqualTo(Deadline.at(later));
        assertThat(calls.mayAppend()).as("a third time").isFalse();

        calls.looked(START);
        assertThat(calls.lookDue()).as("that was too early").isEqualTo(Deadline.at(later));
        calls.looked(later);

        assertThat(calls.lookDue()).isEqualTo(Deadline.NEVER);
        assertThat(calls.mayAppend()).isTrue();
        assertThat(calls.lookAgainDue()).isEqualTo(Deadline.at(later.plus(LEASE)));
        calls.looked(later.plus(LEASE));
        assertThat(calls.lookAgainDue()).isEqualTo(Deadline.NEVER);
    }

    @Test
    void aReadThatFailedHasLookedInVainAndAppendsGoOn() {
        OwnEntry entry = new OwnEntry(new Entry.OfSession(SessionId.of(1), 1, Mode.EXCLUSIVE, 1), START, 1, false);
        Edit append = new Edit(new TreeMap<>(), null, List.of(entry.entry()), 1, 0, false, null, 0, 0);
        SentEdit call = new SentEdit(append, List.of(entry), START);
        calls.mayHaveLanded(call, START);
        calls.mayHaveLanded(call, START);

        calls.ended(new SentRead(true, START));

        assertThat(calls.mayAppend()).isTrue();
        assertThat(calls.lookDue()).isEqualTo(Deadline.at(START));
    }

    @Test
    void aSilentEditIsLookedForAfterEverLongerTimes() {
        assertThat(calls.lookDueInSilence(START)).isEqualTo(Deadline.NEVER);
        calls.sent(edit());
        Moment next = START;
        for (long millis : new long[] {250, 500, 1_000, 2_000, 3_000}) {
            Deadline due = calls.lookDueInSilence(next);
            next = START.plus(Duration.ofMillis(millis));
            assertThat(due).isEqualTo(Deadline.at(next));
        }
    }

    @Test
    void aBusyItemIsTriedAgainSoonAndIsNoFailure() {
        for (int i = 0; i < 10; i++) {
            calls.conflicted(START);
        }

        assertThat(calls.editPauseEnd()).isEqualTo(Deadline.at(START.plus(Duration.ofMillis(40))));
        assertThat(calls.failure()).isNull();
    }

    private static SentEdit edit() {
        Edit nothing = new Edit(new TreeMap<>(), null, List.of(), 0, 0, false, null, 0, 0);
        return new SentEdit(nothing, List.of(), START);
    }
}
