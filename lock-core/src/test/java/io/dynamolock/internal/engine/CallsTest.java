package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CallsTest {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Moment START = new Moment(0);
    private static final StoreFailure OUTAGE = new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "test", null);

    private final Calls calls = new Calls(FIRST_PAUSE);

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
        calls.failed(OUTAGE, START);
        assertThat(calls.pauseEnd()).isEqualTo(Deadline.at(START.plus(FIRST_PAUSE)));
        calls.failed(OUTAGE, START);
        assertThat(calls.pauseEnd()).isEqualTo(Deadline.at(START.plus(FIRST_PAUSE.multipliedBy(2))));
        assertThat(calls.isPausing(START)).isTrue();
        assertThat(calls.failure()).isSameAs(OUTAGE);

        calls.succeeded();

        assertThat(calls.isPausing(START)).isFalse();
        assertThat(calls.failure()).isNull();
        calls.failed(OUTAGE, START);
        assertThat(calls.pauseEnd()).isEqualTo(Deadline.at(START.plus(FIRST_PAUSE)));
    }

    @Test
    void aBusyItemIsTriedAgainSoonAndIsNoFailure() {
        for (int i = 0; i < 10; i++) {
            calls.conflicted(START);
        }

        assertThat(calls.pauseEnd()).isEqualTo(Deadline.at(START.plus(Duration.ofMillis(40))));
        assertThat(calls.failure()).isNull();
    }

    private static SentEdit edit() {
        Edit nothing = new Edit(new TreeMap<>(), null, List.of(), 0, 0, false, null, 0, 0);
        return new SentEdit(nothing, List.of(), START);
    }
}
