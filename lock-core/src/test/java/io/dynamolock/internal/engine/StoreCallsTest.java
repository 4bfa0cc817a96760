package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class StoreCallsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final int ROOM = 8;

    private final VirtualTime time = new VirtualTime();
    private final VirtualTime.Loop loop = time.new Loop();
    private final List<String> heard = new ArrayList<>();
    private final StoreCalls calls = new StoreCalls(
            loop,
            new NoOpEngineListener() {
                @Override
                public void storeCallFailed(String operation, StoreFailure failure) {
                    heard.add(operation);
                }
            },
            ROOM,
            TIMEOUT,
            failure -> {});
    private final List<CompletableFuture<String>> sent = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private final List<StoreFailure> failures = new ArrayList<>();

    @Test
    void anAnswerComesBackOnceOnTheLoopAndLeavesNoTimer() {
        send();
        sent.get(0).complete("done");
        assertThat(answers).as("before the loop's next step").isEmpty();
        settle();

        assertThat(answers).containsExactly("done");
        assertThat(loop.timers()).isZero();
        time.advance(TIMEOUT.multipliedBy(2));
        assertThat(failures).isEmpty();
    }

    @Test
    void aCallThatIsNotAnsweredInTimeFailsAndItsLateAnswerMeansNothing() {
        send();

        time.advance(TIMEOUT.minusNanos(1));
        assertThat(failures).isEmpty();
        time.advance(Duration.ofNanos(1));
        sent.get(0).complete("late");
        settle();

        assertThat(answers).isEmpty();
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure.mayHaveTakenEffect()).isTrue();
            assertThat(failure).hasMessageContaining("did not answer 'call' within PT4S");
        });
        assertThat(heard).containsExactly("call");
    }

    @Test
    void aFailureIsPassedOnAndAnyOtherErrorMayMeanThatTheCallTookEffect() {
        StoreFailure failure = new StoreFailure(StoreFailure.Kind.REFUSED, "no", null);
        IllegalStateException error = new IllegalStateException("broken");
        for (Throwable failed : List.of(failure, new CompletionException(failure), error)) {
            send();
            sent.get(sent.size() - 1).completeExceptionally(failed);
        }
        calls.<String>send(
                "call",
                () -> {
                    throw error;
                },
                answers::add,
                failures::add);
        assertThat(failures).as("before the loop's next step").isEmpty();
        settle();

        assertThat(failures).hasSize(4).filteredOn(failure::equals).hasSize(2);
        assertThat(failures.stream().filter(other -> !failure.equals(other)))
                .hasSize(2)
                .allSatisfy(other -> {
                    assertThat(other).hasCause(error);
                    assertThat(other.mayHaveTakenEffect()).isTrue();
                });
    }

    @Test
    void callsBeyondTheLimitAreSentInOrderLaterWithTheirWholeTimeout() {
        for (int i = 0; i < ROOM + 2; i++) {
            send();
        }
        assertThat(sent).hasSize(ROOM);
        sent.get(1).complete("b");
        settle();
        assertThat(sent).hasSize(ROOM + 1);

        time.advance(TIMEOUT);
        assertThat(sent).hasSize(ROOM + 2);
        assertThat(failures).hasSize(ROOM);
        time.advance(TIMEOUT.minusNanos(1));
        assertThat(failures).hasSize(ROOM);
        time.advance(Duration.ofNanos(1));

        assertThat(failures).hasSize(ROOM + 1);
    }

    private void send() {
        calls.send(
                "call",
                () -> {
                    CompletableFuture<String> stage = new CompletableFuture<>();
                    sent.add(stage);
                    return stage;
                },
                answers::add,
                failures::add);
    }

    private void settle() {
        time.advance(Duration.ZERO);
    }
}
