package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class StoreCallsTest {

    private static final Duration TIMEOUT = Workbench.SETTINGS.callTimeout();
    private static final int ROOM = 3;

    private final Workbench bench = new Workbench();
    private final StoreCalls calls = new StoreCalls(
            new Workbench.Settings().maxCallsInFlight(ROOM).build(), bench.loop, new Backoff(() -> 0), bench.heard);
    private final List<CompletableFuture<String>> sent = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private final List<StoreFailure> failures = new ArrayList<>();

    @Test
    void anAnswerComesBackOnceOnTheLoopAndLeavesNoTimer() {
        send();
        answer(0, "done");
        assertThat(answers).as("before the loop's next step").isEmpty();

        bench.time.advance(TIMEOUT.multipliedBy(2));

        assertThat(answers).containsExactly("done");
        assertThat(failures).isEmpty();
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void anAnsweredCallLeavesNoTimerAtOnce() {
        send();
        answer(0, "done");
        bench.time.settle();

        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void aCallThatIsNotAnsweredInTimeFailsAndItsLateAnswerMeansNothing() {
        send();

        bench.time.advance(TIMEOUT.minusNanos(1));
        assertThat(failures).isEmpty();
        bench.time.advance(Duration.ofNanos(1));
        answer(0, "late");
        bench.time.settle();

        assertThat(answers).isEmpty();
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure.mayHaveTakenEffect()).isTrue();
            assertThat(failure).hasMessageContaining("did not answer 'read' within PT4S");
        });
        assertThat(bench.heard.events).containsExactly("failed: read");
    }

    @Test
    void aFailureIsPassedOnAsItIs() {
        StoreFailure failure = new StoreFailure(StoreFailure.Kind.REFUSED, "no", null);
        send();
        send();
        sent.get(0).completeExceptionally(failure);
        sent.get(1).completeExceptionally(new CompletionException(failure));
        bench.time.settle();

        assertThat(failures).containsExactly(failure, failure);
        assertThat(bench.heard.events).containsExactly("failed: read", "failed: read");
    }

    @Test
    void anyOtherErrorMayMeanThatTheCallTookEffect() {
        IllegalStateException error = new IllegalStateException("broken");
        CompletionException bare = new CompletionException("no cause") {};
        send();
        send();
        send();
        sent.get(0).completeExceptionally(error);
        sent.get(1).completeExceptionally(new CompletionException(error));
        sent.get(2).completeExceptionally(bare);
        bench.time.settle();

        assertThat(failures).extracting(Throwable::getCause).containsExactly(error, error, bare);
        assertThat(failures).allMatch(StoreFailure::mayHaveTakenEffect);
    }

    @Test
    void aStoreThatThrowsHasFailed() {
        IllegalStateException error = new IllegalStateException("shut down");
        StoreCall<String> broken = StoreCall.of(Lane.LOCK, "read", () -> {
            throw error;
        });
        bench.run(() -> calls.send(broken, answers::add, failures::add));
        assertThat(failures).as("before the loop's next step").isEmpty();
        bench.time.settle();

        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasCause(error));
    }

    @Test
    void callsBeyondTheBoundAreSentInOrderAsRoomIsMade() {
        for (int i = 0; i < ROOM + 2; i++) {
            send();
        }
        assertThat(sent).hasSize(ROOM);

        answer(1, "b");
        bench.time.settle();
        assertThat(sent).hasSize(ROOM + 1);

        bench.time.advance(TIMEOUT);
        assertThat(sent).hasSize(ROOM + 2);
        assertThat(answers).containsExactly("b");
    }

    @Test
    void aCallThatWaitedForRoomHasItsWholeTimeOnceItIsSent() {
        for (int i = 0; i < ROOM + 1; i++) {
            send();
        }
        bench.time.advance(TIMEOUT);
        assertThat(failures).hasSize(ROOM);

        bench.time.advance(TIMEOUT.minusNanos(1));
        assertThat(failures).hasSize(ROOM);
        bench.time.advance(Duration.ofNanos(1));
        assertThat(failures).hasSize(ROOM + 1);
    }

    @Test
    void aBeatIsSentBesideTheOthersAndTakesNoneOfTheirRoom() {
        sendFirst();
        for (int i = 0; i < ROOM; i++) {
            send();
        }
        sendFirst();
        assertThat(sent).hasSize(ROOM + 2);

        answer(0, "beat");
        bench.time.settle();
        send();
        assertThat(sent).as("no room for one more").hasSize(ROOM + 2);
    }

    @Test
    void persistenceRepeatsWithGrowingPausesUntilThereIsAnAnswer() {
        bench.run(() -> calls.persist(call(Lane.LOCK, "write"), answers::add));

        fail(0);
        bench.time.advance(Duration.ofMillis(49));
        assertThat(sent).hasSize(1);
        bench.time.advance(Duration.ofMillis(1));
        assertThat(sent).hasSize(2);
        fail(1);
        bench.time.advance(Duration.ofMillis(99));
        assertThat(sent).hasSize(2);
        bench.time.advance(Duration.ofMillis(1));
        assertThat(sent).hasSize(3);
        fail(2);
        bench.time.advance(Duration.ofMillis(200));
        answer(3, "done");
        bench.time.advance(TIMEOUT);

        assertThat(answers).containsExactly("done");
        assertThat(sent).hasSize(4);
    }

    @Test
    void isIdleOnceNoCallIsUnderWay() {
        List<String> told = new ArrayList<>();
        send();
        sendFirst();
        bench.run(() -> calls.whenIdle(() -> told.add("idle")));
        answer(0, "a");
        bench.time.settle();
        assertThat(told).isEmpty();

        sent.get(1).completeExceptionally(new IllegalStateException());
        bench.time.settle();
        assertThat(told).containsExactly("idle");
        send();
        answer(2, "c");
        bench.time.settle();
        assertThat(told).as("told once").hasSize(1);
    }

    @Test
    void isIdleAtOnceIfNoCallIsUnderWay() {
        List<String> told = new ArrayList<>();

        bench.run(() -> calls.whenIdle(() -> told.add("idle")));

        assertThat(told).containsExactly("idle");
    }

    @Test
    void isIdleAfterAnAnswerThatWasTheLast() {
        List<String> told = new ArrayList<>();
        send();
        bench.run(() -> calls.whenIdle(() -> told.add("idle")));
        answer(0, "a");
        bench.time.settle();

        assertThat(answers).containsExactly("a");
        assertThat(told).containsExactly("idle");
    }

    @Test
    void cleanUpHasAQuarterOfTheRoomAndTakesNoneOfTheLocks() {
        StoreCalls wide = new StoreCalls(
                new Workbench.Settings().maxCallsInFlight(8).build(), bench.loop, new Backoff(() -> 0), bench.heard);
        for (int i = 0; i < 20; i++) {
            bench.run(() -> wide.send(call(Lane.BACKGROUND, "clean"), answers::add, failures::add));
        }
        assertThat(sent).hasSize(2);
        for (int i = 0; i < 20; i++) {
            bench.run(() -> wide.send(call(Lane.LOCK, "read"), answers::add, failures::add));
        }
        assertThat(sent).hasSize(10);

        answer(0, "clean");
        bench.time.settle();
        assertThat(sent).as("one more to clean").hasSize(11);
        answer(2, "read");
        bench.time.settle();
        assertThat(sent).as("one more to read").hasSize(12);
    }

    @Test
    void cleanUpHasRoomForOneCallAtTheLeast() {
        send(Lane.BACKGROUND);
        send(Lane.BACKGROUND);

        assertThat(sent).hasSize(1);
    }

    @Test
    void aCallThatIsNoLongerWantedWhenItsTurnComesIsDroppedAsAnEventOfItsOwn() {
        List<String> dropped = new ArrayList<>();
        boolean[] wanted = {true};
        for (int i = 0; i < ROOM; i++) {
            send();
        }
        bench.run(() -> calls.send(
                call(Lane.LOCK, "ask").onlyIf(() -> wanted[0], () -> dropped.add("dropped after " + answers)),
                answers::add,
                failures::add));
        send();
        wanted[0] = false;
        assertThat(dropped).isEmpty();

        answer(0, "a");
        bench.time.settle();

        assertThat(dropped).containsExactly("dropped after [a]");
        assertThat(sent).as("the next took its turn").hasSize(ROOM + 1);
        bench.time.advance(TIMEOUT.multipliedBy(2));
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void anAnswerMayMakeTheNextCallUnwanted() {
        for (int i = 0; i < ROOM; i++) {
            send();
        }
        bench.run(() ->
                calls.send(call(Lane.LOCK, "ask").onlyIf(answers::isEmpty, () -> {}), answers::add, failures::add));

        answer(0, "a");
        bench.time.settle();

        assertThat(sent).hasSize(ROOM);
    }

    @Test
    void aCallMadeWithinAnAnswerComesAfterThoseThatWait() {
        List<String> order = new ArrayList<>();
        bench.run(
                () -> calls.send(call(Lane.BACKGROUND, "first"), answer -> sendNoting(order, "within"), failures::add));
        bench.run(() -> sendNoting(order, "waiting"));

        answer(0, "a");
        bench.time.settle();
        assertThat(order).containsExactly("waiting");
        answer(1, "b");
        bench.time.settle();

        assertThat(order).containsExactly("waiting", "within");
    }

    private void sendNoting(List<String> order, String name) {
        StoreCall<String> noted = StoreCall.of(Lane.BACKGROUND, name, () -> {
            order.add(name);
            return stage();
        });
        calls.send(noted, answers::add, failures::add);
    }

    @Test
    void aBeatHasATimeOfItsOwn() {
        bench.run(
                () -> calls.send(call(Lane.BEAT, "beat").within(Duration.ofMillis(100)), answers::add, failures::add));

        bench.time.advance(Duration.ofMillis(100));

        assertThat(failures).hasSize(1);
    }

    private StoreCall<String> call(Lane lane, String operation) {
        return StoreCall.of(lane, operation, this::stage);
    }

    private CompletionStage<String> stage() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        sent.add(stage);
        return stage;
    }

    private void send() {
        send(Lane.LOCK);
    }

    private void sendFirst() {
        send(Lane.BEAT);
    }

    private void send(Lane lane) {
        String operation = lane == Lane.BEAT ? "beat" : "read";
        bench.run(() -> calls.send(call(lane, operation), answers::add, failures::add));
    }

    private void answer(int call, String value) {
        sent.get(call).complete(value);
    }

    private void fail(int call) {
        sent.get(call).completeExceptionally(new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "lost", null));
        bench.time.settle();
    }
}
