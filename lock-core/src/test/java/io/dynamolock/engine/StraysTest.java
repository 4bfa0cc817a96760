package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.protocol.BlockId;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StraysTest {

    private static final Duration TIMEOUT = Workbench.SETTINGS.callTimeout();
    private static final BlockId OTHER = Workbench.block(Workbench.sessionId(2), 1);
    private static final BlockId STRAY = Workbench.block(Workbench.sessionId(1), 1);

    private final Workbench bench = new Workbench();
    private final Strays strays = new Strays(bench.context());
    private final List<String> done = new ArrayList<>();

    @Test
    void takesTheBlockOutWhereverItStandsAndLeavesTheOthers() {
        bench.ask(OTHER, 2);
        bench.ask(STRAY, 3);

        remove(false);
        bench.time.settle();

        assertThat(bench.stands(STRAY)).isFalse();
        assertThat(bench.stands(OTHER)).isTrue();
        assertThat(isRemoving()).isFalse();
        assertThat(bench.store.total()).as("a look and a write").isEqualTo(2);
    }

    @Test
    void aBlockThatStandsNowhereTakesOneLook() {
        remove(false);
        bench.time.advance(TIMEOUT.multipliedBy(2));

        assertThat(bench.store.total()).isOne();
        assertThat(isRemoving()).isFalse();
    }

    @Test
    void aBlockThatHasMovedUpIsTakenOutOfItsNewPlaceAtOnce() {
        bench.ask(OTHER, 2);
        bench.ask(STRAY, 3);
        bench.faults.next(StoreOperation.LEAVE, Fault.STALLS);
        remove(false);
        bench.time.settle();
        bench.leave(OTHER);

        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.stands(STRAY)).isFalse();
        assertThat(bench.store.count(StoreOperation.LEAVE)).isEqualTo(2);
        assertThat(bench.store.count(StoreOperation.LOOK)).isOne();
    }

    @Test
    void goesOnUntilAnAnswerShowsThatItIsGone() {
        bench.ask(STRAY, 1);
        bench.faults.next(StoreOperation.LOOK, Fault.LOST_ANSWER, 2);
        bench.faults.next(StoreOperation.LEAVE, Fault.LOST_REQUEST, 2);
        bench.faults.next(StoreOperation.LEAVE, Fault.LOST_ANSWER);

        remove(false);
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(bench.stands(STRAY)).isFalse();
        assertThat(isRemoving()).isFalse();
        assertThat(bench.store.count(StoreOperation.LEAVE)).isEqualTo(4);
    }

    @Test
    void looksOnceMoreForACallThatMayComeLate() {
        remove(true);
        bench.time.advance(TIMEOUT.minusNanos(1));
        bench.ask(STRAY, 1);
        assertThat(bench.store.count(StoreOperation.LOOK)).isOne();
        assertThat(isRemoving()).isTrue();

        bench.time.advance(Duration.ofNanos(1));

        assertThat(bench.store.count(StoreOperation.LOOK)).isEqualTo(2);
        assertThat(bench.stands(STRAY)).isFalse();
        assertThat(isRemoving()).isFalse();
    }

    @Test
    void anAnswerToWhatWasSentBeforeTheTimeSaysNothingOfWhatComesLate() {
        bench.faults.next(StoreOperation.LOOK, Fault.SLOW_ANSWER);
        remove(true);
        bench.time.advance(TIMEOUT.minusNanos(1));
        bench.ask(STRAY, 1);
        bench.faults.resume();

        bench.time.advance(Duration.ofNanos(1));

        assertThat(bench.stands(STRAY)).isFalse();
    }

    @Test
    void aRemovalThatWasSentBeforeTheTimeSaysNothingOfWhatComesLate() {
        bench.ask(STRAY, 1);
        bench.faults.next(StoreOperation.LOOK, Fault.STALLS).next(StoreOperation.LEAVE, Fault.SLOW_ANSWER);
        remove(true);
        bench.time.advance(TIMEOUT.minusSeconds(1));
        bench.faults.resume();
        bench.time.advance(Duration.ofSeconds(2));
        bench.ask(STRAY, 1);

        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.stands(STRAY)).isFalse();
    }

    @Test
    void thoseThatAreFoundTogetherTakeOneLookAndOneWrite() {
        List<BlockId> found = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            found.add(Workbench.block(STRAY.session(), i));
            bench.ask(found.get(i - 1), 1);
        }
        bench.ask(OTHER, 2);

        bench.run(() -> strays.remove(KEY, found, false));
        bench.time.settle();

        assertThat(found).noneMatch(bench::stands);
        assertThat(bench.stands(OTHER)).isTrue();
        assertThat(isRemoving()).isFalse();
        assertThat(bench.store.total()).isEqualTo(2);
    }

    @Test
    void takesAQuarterOfTheRoomAtTheMost() {
        for (int i = 1; i <= 40; i++) {
            bench.ask(Workbench.block(STRAY.session(), i), 1);
        }
        bench.faults.always(StoreOperation.LEAVE, Fault.STALLS);
        for (int i = 1; i <= 40; i++) {
            BlockId block = Workbench.block(STRAY.session(), i);
            bench.run(() -> strays.remove(KEY, block, false));
        }
        bench.time.settle();

        assertThat(bench.store.count(StoreOperation.LEAVE)).isEqualTo(Workbench.SETTINGS.maxCallsInFlight() / 4);
    }

    @Test
    void aBlockThatWasTakenOutNeedsNoFurtherLookIfTheTimeHadPassed() {
        bench.ask(STRAY, 1);
        bench.faults.next(StoreOperation.LEAVE, Fault.LOST_REQUEST, 10);
        remove(true);

        bench.time.advance(Duration.ofMinutes(1));

        assertThat(bench.store.count(StoreOperation.LOOK)).isOne();
        assertThat(isRemoving()).isFalse();
    }

    @Test
    void severalRequestsForABlockAreOne() {
        bench.ask(STRAY, 1);
        remove(false);
        remove(true);
        remove(false);
        bench.time.settle();
        assertThat(bench.store.total()).isEqualTo(2);
        assertThat(isRemoving()).as("it may come late").isTrue();

        bench.time.advance(TIMEOUT);

        assertThat(bench.store.total()).isEqualTo(3);
        assertThat(isRemoving()).isFalse();
    }

    @Test
    void aRequestThatComesWhileAnAnswerIsUnderWayIsAnsweredByALaterOne() {
        bench.faults.next(StoreOperation.LOOK, Fault.SLOW_ANSWER);
        remove(false);
        bench.time.advance(Duration.ofMillis(1));
        bench.ask(STRAY, 1);
        remove(false);

        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.stands(STRAY)).isFalse();
        assertThat(isRemoving()).isFalse();
    }

    @Test
    void isDoneWhenEverythingIsOut() {
        bench.ask(STRAY, 1);
        remove(true);
        bench.run(() -> strays.whenDone(() -> done.add("all")));
        bench.time.advance(TIMEOUT.minusNanos(1));
        assertThat(done).isEmpty();

        bench.time.advance(Duration.ofNanos(1));
        assertThat(done).containsExactly("all");
        remove(false);
        bench.time.settle();
        assertThat(done).as("told once").containsExactly("all");
    }

    @Test
    void isDoneAtOnceIfThereIsNothingToTakeOut() {
        bench.run(() -> strays.whenDone(() -> done.add("all")));

        assertThat(done).containsExactly("all");
    }

    @Test
    void beginsNoMoreThanFourThousandAtATime() {
        bench.faults.always(StoreOperation.LOOK, Fault.STALLS);
        for (int i = 1; i <= 4_097; i++) {
            assertThat(bench.get(strays::hasRoom)).isEqualTo(i <= 2_048);
            BlockId block = Workbench.block(Workbench.sessionId(1), i);
            bench.run(() -> strays.remove(KEY, block, false));
        }
        bench.faults.heal();
        bench.time.advance(Duration.ofMinutes(1));

        assertThat(bench.get(strays::hasRoom)).isTrue();
        assertThat(bench.store.count(StoreOperation.LOOK)).isEqualTo(4_096 + Workbench.SETTINGS.maxCallsInFlight() / 4);
    }

    private void remove(boolean mayComeLate) {
        bench.run(() -> strays.remove(KEY, STRAY, mayComeLate));
    }

    private boolean isRemoving() {
        List<String> asked = new ArrayList<>();
        bench.run(() -> strays.whenDone(() -> asked.add("nothing left")));
        return asked.isEmpty();
    }
}
