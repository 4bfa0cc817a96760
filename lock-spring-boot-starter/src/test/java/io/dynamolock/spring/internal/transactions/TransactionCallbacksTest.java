package io.dynamolock.spring.internal.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A lock that a transaction keeps is held by every callback of that transaction, and released after the last. */
class TransactionCallbacksTest {

    @AutoClose
    private final AspectContext context =
            AspectContext.withTransactions(Map.of(), Seen.class, Orders.class, Listeners.class);

    private final FakeLockRegistry locks = context.locks;
    private final Orders orders = context.bean(Orders.class);
    private final Seen seen = context.bean(Seen.class);
    private final PlatformTransactionManager transactions = context.bean(PlatformTransactionManager.class);

    TransactionCallbacksTest() {
        locks.onRelease = () -> seen.see("release");
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(locks.handles).isNotEmpty().allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    /** The callbacks and the releases, in their order. */
    static class Seen {

        private final List<String> events = new ArrayList<>();

        void see(String event) {
            events.add(event);
        }
    }

    static class Orders {

        private final ApplicationEventPublisher events;

        Orders(ApplicationEventPublisher events) {
            this.events = events;
        }

        @DynamoLocked(key = "'orders'")
        public void place(Object order) {
            events.publishEvent(order);
        }

        @DynamoLocked(key = "#key")
        public void under(String key) {}
    }

    static class Listeners {

        private final Seen seen;
        private final Orders orders;

        Listeners(Seen seen, Orders orders) {
            this.seen = seen;
            this.orders = orders;
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void beforeCommit(String order) {
            seen.see("before commit");
        }

        @TransactionalEventListener
        void afterCommit(String order) {
            seen.see("after commit");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        void afterRollback(String order) {
            seen.see("after rollback");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        void afterCompletion(String order) {
            seen.see("after completion");
        }

        @TransactionalEventListener
        void goesOn(Integer order) {
            orders.place("next");
            seen.see("placed the next");
        }
    }

    private void inTransaction(Runnable work) {
        new TransactionTemplate(transactions).executeWithoutResult(status -> work.run());
    }

    private void inNewTransaction(Runnable work) {
        TransactionTemplate template = new TransactionTemplate(transactions);
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        template.executeWithoutResult(status -> work.run());
    }

    private void register(String name, int order) {
        register(new Callback(name, order));
    }

    private static void register(Callback callback) {
        TransactionSynchronizationManager.registerSynchronization(callback);
    }

    private class Callback implements TransactionSynchronization {

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
        public void afterCompletion(int status) {
            seen.see(name);
        }
    }

    @Test
    void listenersOfACommitRunUnderTheLock() {
        inTransaction(() -> orders.place("order"));
        assertThat(seen.events).last().isEqualTo("release");
        assertThat(seen.events)
                .containsExactlyInAnyOrder("before commit", "after commit", "after completion", "release");
    }

    @Test
    void listenersOfARollbackRunUnderTheLock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inTransaction(() -> {
                    orders.place("order");
                    throw new IllegalStateException("no");
                }));
        assertThat(seen.events).last().isEqualTo("release");
        assertThat(seen.events).containsExactlyInAnyOrder("after rollback", "after completion", "release");
    }

    @Test
    void aListenerEntersTheLockOfItsTransactionAgain() {
        inTransaction(() -> orders.place(1));
        assertThat(locks.requests).hasSize(1);
        assertThat(seen.events).containsExactly("placed the next", "release");
    }

    @ParameterizedTest
    @ValueSource(ints = {Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE})
    void callbacksOfAnyOrderRunUnderTheLockWheneverTheyAreRegistered(int order) {
        inTransaction(() -> {
            register("before the lock", order);
            orders.under("a");
            orders.under("b");
            register(new Callback("after the lock", order) {
                @Override
                public void beforeCompletion() {
                    register("before the completion", order);
                }

                @Override
                public void afterCommit() {
                    register("after the commit", order);
                }
            });
        });
        assertThat(seen.events)
                .containsExactly(
                        "before the lock",
                        "after the lock",
                        "before the completion",
                        "after the commit",
                        "release",
                        "release");
    }

    private enum Step {
        BEFORE_COMMIT,
        BEFORE_COMPLETION,
        AFTER_COMMIT,
        AFTER_COMPLETION
    }

    /** At one of its steps, and before the lock is told of that step or after it. */
    private final class Failing extends Callback {

        private final Step step;

        Failing(String name, int order, Step step) {
            super(name, order);
            this.step = step;
        }

        private void failAt(Step now) {
            if (step == now) {
                throw new IllegalStateException("no");
            }
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            failAt(Step.BEFORE_COMMIT);
        }

        @Override
        public void beforeCompletion() {
            failAt(Step.BEFORE_COMPLETION);
        }

        @Override
        public void afterCommit() {
            failAt(Step.AFTER_COMMIT);
        }

        @Override
        public void afterCompletion(int status) {
            super.afterCompletion(status);
            failAt(Step.AFTER_COMPLETION);
        }
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("CheckReturnValue") // Not every failure comes out.
    void theLockIsReleasedAfterTheLastCallbackAlsoIfCallbacksFail(Step step) {
        catchThrowable(() -> inTransaction(() -> {
            register(new Failing("early", 0, step));
            orders.under("a");
            register(new Failing("late", Ordered.LOWEST_PRECEDENCE, step));
        }));
        assertThat(seen.events).containsExactly("early", "late", "release");
    }

    @Test
    void theLockOfASuspendedTransactionIsHeldByTheCallbacksOfBoth() {
        inTransaction(() -> {
            orders.under("outer");
            register("outer", Ordered.LOWEST_PRECEDENCE);
            inNewTransaction(() -> {
                orders.under("inner");
                orders.under("outer");
                register("inner", Ordered.LOWEST_PRECEDENCE);
            });
            seen.see("back in the outer");
        });
        assertThat(seen.events).containsExactly("inner", "release", "back in the outer", "outer", "release");
    }

    /** As JTA ends those that were begun outside of Spring, on a thread that may be in another transaction by then. */
    @Test
    void aTransactionThatEndsInTheScopeOfAnotherReleasesItsLockThere() {
        List<TransactionSynchronization> callbacks = new ArrayList<>();
        inTransaction(() -> {
            orders.under("a");
            callbacks.addAll(TransactionSynchronizationManager.getSynchronizations());
            TransactionSynchronizationManager.clearSynchronization();
            TransactionSynchronizationManager.initSynchronization();
            callbacks.forEach(TransactionSynchronization::afterCommit);
            callbacks.forEach(ended -> ended.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
            seen.see("the other goes on");
        });
        assertThat(seen.events).containsExactly("release", "the other goes on");
    }

    /** Of a transaction of its own, and of the one whose end it hears of. */
    @Test
    void aListenerThatOpensATransactionReleasesOnlyItsOwnLock() {
        inTransaction(() -> {
            orders.under("outer");
            register(new Callback("outer", Ordered.LOWEST_PRECEDENCE) {
                @Override
                public void afterCompletion(int status) {
                    inNewTransaction(() -> {
                        orders.under("inner");
                        register("inner", Ordered.LOWEST_PRECEDENCE);
                    });
                    super.afterCompletion(status);
                }
            });
        });
        assertThat(seen.events).containsExactly("inner", "release", "outer", "release");
    }
}
