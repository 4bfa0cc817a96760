package io.dynamolock.spring.internal.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.aspect.LockedProxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A locked stream inside a reactive transaction: the next caller must see what that commits. */
class ReactiveTransactionTest {

    private final List<String> seen = new ArrayList<>();
    private final FakeLockRegistry locks = new FakeLockRegistry();
    private final Work work = LockedProxy.of(new Work(), locks);
    private final TransactionalOperator transaction = TransactionalOperator.create(new Manager(seen));

    ReactiveTransactionTest() {
        locks.onRelease = () -> seen.add("release");
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(locks.handles).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    static class Work {

        @DynamoLocked(key = "'k'")
        public Mono<String> run() {
            return Mono.just("done");
        }

        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public Mono<String> around(Mono<String> inside) {
            return inside;
        }

        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public Mono<String> ignoring() {
            return Mono.just("done");
        }
    }

    @Test
    void theLockIsHeldUntilTheTransactionHasCommitted() {
        assertThat(transaction.transactional(work.run()).block()).isEqualTo("done");
        assertThat(seen).containsExactly("begin", "commit", "release");
    }

    @Test
    void theLockIsReleasedAfterARollback() {
        StepVerifier.create(transaction.transactional(work.run().then(Mono.error(new IllegalStateException("no")))))
                .verifyErrorMessage("no");
        assertThat(seen).containsExactly("begin", "rollback", "release");
    }

    @Test
    void theSameTransactionEntersAgainWithoutAsking() {
        transaction.transactional(work.run().then(Mono.defer(work::run))).block();
        assertThat(locks.requests).hasSize(1);
        work.run().block();
        assertThat(locks.requests).hasSize(2);
    }

    @Test
    void aLossBeforeTheCommitRollsBack() {
        StepVerifier.create(transaction.transactional(
                        work.run().doOnNext(done -> locks.lastHandle().lose())))
                .verifyError(LockLostException.class);
        assertThat(seen).containsExactly("begin", "rollback", "release");
    }

    /** The transaction begins and ends inside of the hold. */
    @Test
    void aLossBeforeTheCommitRollsBackAlsoIfAnOuterStreamHasTheLock() {
        Mono<String> inside = transaction.transactional(
                work.run().doOnNext(done -> locks.lastHandle().lose()));
        StepVerifier.create(work.around(inside)).verifyError(LockLostException.class);
        assertThat(seen).containsExactly("begin", "rollback", "release");
    }

    @Test
    void aLossThatIsIgnoredCommits() {
        transaction
                .transactional(
                        work.ignoring().doOnNext(done -> locks.lastHandle().lose()))
                .block();
        assertThat(seen).containsExactly("begin", "commit", "release");
    }

    @Test
    void withoutATransactionTheLockEndsWithTheStream() {
        work.run().doOnNext(done -> seen.add("next")).block();
        assertThat(seen).containsExactly("release", "next");
    }

    private Mono<String> register(TransactionSynchronization callback) {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .doOnNext(transaction -> transaction.registerSynchronization(callback))
                .thenReturn("registered");
    }

    @ParameterizedTest
    @ValueSource(ints = {Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE})
    void callbacksOfAnyOrderRunUnderTheLock(int order) {
        transaction
                .transactional(register(new Callback("before the lock", order))
                        .then(work.run())
                        .then(register(new Callback("after the lock", order))))
                .block();
        assertThat(seen).containsExactly("begin", "commit", "before the lock", "after the lock", "release");
    }

    @Test
    void callbacksOfARollbackRunUnderTheLock() {
        StepVerifier.create(transaction.transactional(work.run()
                        .then(register(new Callback("after the lock", Ordered.LOWEST_PRECEDENCE)))
                        .then(Mono.error(new IllegalStateException("no")))))
                .verifyErrorMessage("no");
        assertThat(seen).containsExactly("begin", "rollback", "after the lock", "release");
    }

    @Test
    void theLockIsReleasedAlsoIfCallbacksFail() {
        transaction
                .transactional(work.run().then(register(new Callback("after the lock", Ordered.LOWEST_PRECEDENCE) {
                    @Override
                    public Mono<Void> beforeCompletion() {
                        return Mono.error(new IllegalStateException("no"));
                    }

                    @Override
                    public Mono<Void> afterCompletion(int status) {
                        return super.afterCompletion(status).then(Mono.error(new IllegalStateException("no")));
                    }
                })))
                .block();
        assertThat(seen).containsExactly("begin", "commit", "after the lock", "release");
    }

    @Test
    void aCallbackEntersTheLockOfItsTransactionAgain() {
        transaction
                .transactional(work.run().then(register(new Callback("after the lock", Ordered.LOWEST_PRECEDENCE) {
                    @Override
                    public Mono<Void> afterCompletion(int status) {
                        return work.run().then(super.afterCompletion(status));
                    }
                })))
                .block();
        assertThat(locks.requests).hasSize(1);
        assertThat(seen).containsExactly("begin", "commit", "after the lock", "release");
    }

    private class Callback implements TransactionSynchronization, Ordered {

        private final String name;
        private final int order;

        Callback(String name, int order) {
            this.name = name;
            this.order = order;
        }

        @Override
        public int getOrder() {
            return order;
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> seen.add(name));
        }
    }

    /** Of nothing, and tells what it does. */
    static final class Manager extends AbstractReactiveTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient List<String> seen;

        Manager(List<String> seen) {
            this.seen = seen;
        }

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager manager) {
            return new Object();
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager manager, Object transaction, TransactionDefinition definition) {
            return Mono.fromRunnable(() -> seen.add("begin"));
        }

        @Override
        protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> seen.add("commit"));
        }

        @Override
        protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> seen.add("rollback"));
        }
    }
}
