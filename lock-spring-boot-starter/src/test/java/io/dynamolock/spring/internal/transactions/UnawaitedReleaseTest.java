package io.dynamolock.spring.internal.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import io.dynamolock.internal.testing.ManualTime;
import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.LockedProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Each kind of call ends when its release is begun: in these tests the store does not answer the release. */
@Timeout(60)
class UnawaitedReleaseTest {

    private static final LockKey KEY = new LockKey("k", "default");
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final int ROOM = 3;

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final FaultyLockStore store = new FaultyLockStore(table);
    private final ManualTime time = new ManualTime();
    private final LockRegistry locks =
            RegistryBuilder.of(store).maxCallsInFlight(ROOM).on(time).build();
    private final Work work = LockedProxy.of(new Work(this::stallRelease), locks);

    @AfterEach
    void close() {
        store.heal();
        store.resume();
        time.close(locks);
    }

    private void stallRelease() {
        store.next(StoreOperation.EDIT, Fault.STALLS);
    }

    private void isReleasedAfterTheAnswer() {
        await().until(() -> store.count(StoreOperation.EDIT) == 2);
        assertThat(table.lock(KEY).queue()).hasSize(1);
        assertThat(locks.admin().held()).isEmpty();
        store.resume();
        await().until(() -> table.lock(KEY).queue().isEmpty());
    }

    static class Work {

        private final Runnable body;

        Work(Runnable body) {
            this.body = body;
        }

        @DynamoLocked(key = "'k'")
        public String blocking() {
            return run();
        }

        private String run() {
            body.run();
            return "done";
        }

        @DynamoLocked(key = "'k'", awaitRelease = true)
        public String awaiting() {
            return run();
        }

        @DynamoLocked(
                keys = {"'a'", "'b'"},
                awaitRelease = true)
        public String awaitingBoth() {
            return run();
        }

        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture(run());
        }

        @DynamoLocked(key = "#key")
        public CompletableFuture<String> later(String key, CompletableFuture<String> result) {
            return result;
        }

        @DynamoLocked(key = "'k'")
        public Flux<String> stream() {
            return Flux.defer(() -> Flux.just(run(), "twice"));
        }

        @DynamoLocked(key = "'k'")
        public Mono<String> single() {
            return Mono.fromSupplier(this::run);
        }
    }

    @Test
    void aMethodReturns() {
        assertThat(work.blocking()).isEqualTo("done");
        isReleasedAfterTheAnswer();
    }

    @Test
    void aFutureCompletes() {
        assertThat(work.future()).succeedsWithin(LONG).isEqualTo("done");
        isReleasedAfterTheAnswer();
    }

    @Test
    void aStreamEnds() {
        assertThat(work.stream().collectList().block(LONG)).containsExactly("done", "twice");
        isReleasedAfterTheAnswer();
    }

    @Test
    void aTransactionEnds() {
        assertThat(new TransactionTemplate(new OfNothing()).<String>execute(status -> work.blocking()))
                .isEqualTo("done");
        isReleasedAfterTheAnswer();
    }

    @Test
    void aReactiveTransactionEnds() {
        TransactionalOperator transaction =
                TransactionalOperator.create(new ReactiveTransactionTest.Manager(new ArrayList<>()));
        assertThat(transaction.transactional(work.single()).block(LONG)).isEqualTo("done");
        isReleasedAfterTheAnswer();
    }

    @Test
    void aMethodThatAwaitsItsReleaseReturnsAfterTheAnswer() throws Exception {
        var caller = TestThread.running(work::awaiting);
        await().until(() -> store.count(StoreOperation.EDIT) == 2);
        caller.untilItWaits();

        store.resume();

        assertThat(caller.value()).isEqualTo("done");
        assertThat(table.lock(KEY).queue()).isEmpty();
    }

    @Test
    void aMethodThatAwaitsSeveralReleasesBeginsAllBeforeItWaits() throws Exception {
        Work both = LockedProxy.of(new Work(() -> store.always(StoreOperation.EDIT, Fault.STALLS)), locks);
        var caller = TestThread.running(both::awaitingBoth);

        await().until(() ->
                store.count(StoreOperation.EDIT) > 2 && locks.admin().held().isEmpty());
        caller.untilItWaits();

        store.heal();
        store.resume();
        assertThat(caller.value()).isEqualTo("done");
    }

    @Test
    void aFutureForWhoseReleaseThereIsNoRoomCompletesAfterTheAnswer() {
        CompletableFuture<String> unfinished = new CompletableFuture<>();
        List<CompletableFuture<String>> answers = IntStream.rangeClosed(0, ROOM)
                .mapToObj(i -> work.later("k" + i, unfinished))
                .toList();
        await().until(() -> locks.admin().held().size() == answers.size());
        store.always(StoreOperation.EDIT, Fault.STALLS);

        unfinished.complete("done");
        assertThat(answers).filteredOn(CompletableFuture::isDone).hasSize(ROOM);

        store.heal();
        await().until(() -> {
            store.resume();
            return answers.stream().allMatch(CompletableFuture::isDone);
        });
    }

    @Test
    void aLossThatOnlyTheAnswerShowsIsNotThrown() {
        Work deleting = LockedProxy.of(new Work(() -> table.removeLock(KEY)), locks);
        assertThat(deleting.blocking()).isEqualTo("done");
        assertThat(deleting.future()).succeedsWithin(LONG).isEqualTo("done");
    }

    @Test
    void aLossThatIsKnownWhenTheCallEndsIsThrown() {
        Work pausing = LockedProxy.of(new Work(() -> locks.admin().pause()), locks);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(pausing::blocking);
        locks.admin().resume();
        assertThat(pausing.future()).failsWithin(LONG).withThrowableThat().withCauseInstanceOf(LockLostException.class);
    }

    /** A transaction of nothing. */
    private static final class OfNothing extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
