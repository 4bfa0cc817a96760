package io.dynamolock.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.EmbeddedDynamoDb;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random histories of steps on DynamoDB Local and by the rules, side by side: after each step the answers and the items
 * must be the same. {@code -Dsteps=100000} takes more of them, {@code -Dsteps.seed=...} the same ones again.
 */
class StepsOnDynamoDbTest {

    private static final int STEPS = Integer.getInteger("steps", 10_000);
    private static final long SEED = Long.getLong("steps.seed", System.nanoTime());
    private static final int HISTORIES = 8;
    /** Then a history goes on with a lock and a session that do not exist yet. */
    private static final int STEPS_ON_ONE_ITEM = 80;

    private static final int STEPS_PER_LOOK = 8;

    private final List<LockStore> stores = List.of(
            new DynamoLockStore(EmbeddedDynamoDb.client(), Tables.settings("steps#")),
            new DynamoLockStore(EmbeddedDynamoDb.blockingClient(), Tables.settings("steps#"), HISTORIES));

    /** No two runs on the same table meet. */
    private final String run = UUID.randomUUID().toString();

    private final Map<String, Integer> outcomes = new ConcurrentHashMap<>();

    @Test
    void dynamoDbDoesWhatTheRulesSay() throws Exception {
        System.out.println("StepsOnDynamoDbTest: -Dsteps=" + STEPS + " -Dsteps.seed=" + SEED);
        Tables.createOnce("embedded", EmbeddedDynamoDb.client(), Tables.settings("steps#"));
        ExecutorService threads = Executors.newFixedThreadPool(HISTORIES);
        try {
            List<Future<?>> histories = IntStream.range(0, HISTORIES)
                    .<Future<?>>mapToObj(number -> threads.submit(() -> new History(number).play()))
                    .toList();
            for (Future<?> history : histories) {
                history.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(outcomes.keySet()).containsExactlyInAnyOrderElementsOf(everyOutcome());
    }

    /** Each step was taken and was refused, or the histories would prove little. */
    private static List<String> everyOutcome() {
        return Stream.of(StoreOperation.values())
                .filter(StoreOperation::isWrite)
                .flatMap(step -> step == StoreOperation.END_SESSION
                        ? Stream.of(step + " applied")
                        : Stream.of(step + " applied", step + " refused"))
                .toList();
    }

    private final class History {

        private final int number;
        private final Random random;
        private final RandomSteps steps;
        private LockKey key = new LockKey("", "");
        private LockItem lock = LockItem.ABSENT;
        private SessionId id = SessionId.of(0);
        private Optional<SessionItem> session = Optional.empty();
        private boolean raises;

        History(int number) {
            this.number = number;
            this.random = new Random(SEED + number);
            this.steps = new RandomSteps(random);
        }

        void play() {
            for (int i = 0; i < STEPS / HISTORIES; i++) {
                if (i % STEPS_ON_ONE_ITEM == 0) {
                    beginAnew(i);
                }
                LockStore store = stores.get(random.nextInt(stores.size()));
                if (random.nextInt(5) < 3) {
                    takeLockStep(store, i);
                } else {
                    takeSessionStep(store, i);
                }
                if (random.nextInt(STEPS_PER_LOOK) == 0) {
                    look(store, i);
                }
            }
        }

        private void beginAnew(int step) {
            key = new LockKey(run + number + "-" + step + steps.oddKey().strip(), "default");
            lock = LockItem.ABSENT;
            id = SessionId.of(UUID.randomUUID().getLeastSignificantBits());
            session = Optional.empty();
            raises = random.nextInt(3) == 0;
        }

        private void look(LockStore store, int i) {
            assertThat(answerOf(store.look(key, random.nextBoolean())))
                    .as("seed %s, history %s, look after step %s", SEED, number, i)
                    .isEqualTo(lock);
            assertThat(answerOf(store.sessions(Set.of(id))))
                    .as("seed %s, history %s, sessions after step %s", SEED, number, i)
                    .isEqualTo(Map.of(id, session));
        }

        private void takeLockStep(LockStore store, int i) {
            Step step = steps.step(lock);
            Instant now = steps.time();
            Answer<LockItem> expected = step.on(lock);

            Answer<LockItem> answer = answerOf(store.take(key, step, now));

            assertThat(answer)
                    .as("seed %s, history %s, step %s: %s on %s", SEED, number, i, step, lock)
                    .isEqualTo(expected);
            lock = expected.item();
            count(StoreOperation.of(step), expected);
        }

        private void takeSessionStep(LockStore store, int i) {
            SessionStep step = steps.step(id, session, raises);
            Instant now = steps.time();
            Answer<Optional<SessionItem>> expected = step.on(session);

            Answer<Optional<SessionItem>> answer = answerOf(store.take(id, step, now));

            assertThat(answer)
                    .as("seed %s, history %s, step %s: %s on %s", SEED, number, i, step, session)
                    .isEqualTo(expected);
            session = expected.item();
            count(StoreOperation.of(step), expected);
        }
    }

    private void count(StoreOperation step, Answer<?> answer) {
        outcomes.merge(step + (answer.isApplied() ? " applied" : " refused"), 1, Integer::sum);
    }

    private static <T> T answerOf(CompletionStage<T> stage) {
        return Objects.requireNonNull(
                stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join());
    }
}
