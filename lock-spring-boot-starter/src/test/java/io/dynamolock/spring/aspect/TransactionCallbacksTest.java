package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    DynamoLockAspectAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true")
            .withUserConfiguration(Application.class);

    /** The callbacks and the releases, in their order. */
    record Seen(List<String> events) {

        void see(String event) {
            events.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Seen seen() {
            return new Seen(new ArrayList<>());
        }

        @Bean
        FakeLockRegistry dynamoLockRegistry(Seen seen) {
            FakeLockRegistry locks = new FakeLockRegistry();
            locks.onRelease = () -> seen.see("release");
            return locks;
        }

        @Bean
        Orders orders(ApplicationEventPublisher events) {
            return new Orders(events);
        }

        @Bean
        Listeners listeners(Seen seen, Orders orders) {
            return new Listeners(seen, orders);
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

    private record Running(FakeLockRegistry locks, Seen seen, Orders orders, PlatformTransactionManager transactions) {

        void inTransaction(Runnable work) {
            new TransactionTemplate(transactions).executeWithoutResult(status -> work.run());
        }

        void inNewTransaction(Runnable work) {
            TransactionTemplate template = new TransactionTemplate(transactions);
            template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            template.executeWithoutResult(status -> work.run());
        }

        void register(String name, int order) {
            register(new Callback(name, order, seen::see));
        }

        void register(Callback callback) {
            TransactionSynchronizationManager.registerSynchronization(callback);
        }
    }

    private static class Callback implements TransactionSynchronization {

        private final String name;
        private final int order;
        private final Consumer<String> seen;

        Callback(String name, int order, Consumer<String> seen) {
            this.name = name;
            this.order = order;
            this.seen = seen;
        }

        @Override
        public int getOrder() {
            return order;
        }

        @Override
        public void afterCompletion(int status) {
            seen.accept(name);
        }
    }

    private void inApplication(Consumer<Running> test) {
        runner.run(context -> {
            Running running = new Running(
                    context.getBean(FakeLockRegistry.class),
                    context.getBean(Seen.class),
                    context.getBean(Orders.class),
                    context.getBean(PlatformTransactionManager.class));
            test.accept(running);
            assertThat(running.locks().handles).isNotEmpty().allMatch(FakeLockRegistry.FakeHandle::isReleased);
        });
    }

    @Test
    void listenersOfACommitRunUnderTheLock() {
        inApplication(application -> {
            application.inTransaction(() -> application.orders().place("order"));
            assertThat(application.seen().events()).last().isEqualTo("release");
            assertThat(application.seen().events())
                    .containsExactlyInAnyOrder("before commit", "after commit", "after completion", "release");
        });
    }

    @Test
    void listenersOfARollbackRunUnderTheLock() {
        inApplication(application -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> application.inTransaction(() -> {
                        application.orders().place("order");
                        throw new IllegalStateException("no");
                    }));
            assertThat(application.seen().events()).last().isEqualTo("release");
            assertThat(application.seen().events())
                    .containsExactlyInAnyOrder("after rollback", "after completion", "release");
        });
    }

    @Test
    void aListenerEntersTheLockOfItsTransactionAgain() {
        inApplication(application -> {
            application.inTransaction(() -> application.orders().place(1));
            assertThat(application.locks().requests).hasSize(1);
            assertThat(application.seen().events()).containsExactly("placed the next", "release");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE})
    void callbacksOfAnyOrderRunUnderTheLockWheneverTheyAreRegistered(int order) {
        inApplication(application -> {
            application.inTransaction(() -> {
                application.register("before the lock", order);
                application.orders().under("a");
                application.orders().under("b");
                application.register(new Callback("after the lock", order, application.seen()::see) {
                    @Override
                    public void beforeCompletion() {
                        application.register("before the completion", order);
                    }

                    @Override
                    public void afterCommit() {
                        application.register("after the commit", order);
                    }
                });
            });
            assertThat(application.seen().events())
                    .containsExactly(
                            "before the lock",
                            "after the lock",
                            "before the completion",
                            "after the commit",
                            "release",
                            "release");
        });
    }

    private enum Step {
        BEFORE_COMMIT,
        BEFORE_COMPLETION,
        AFTER_COMMIT,
        AFTER_COMPLETION
    }

    /** At one of its steps, and before the lock is told of that step or after it. */
    private static final class Failing extends Callback {

        private final Step step;

        Failing(String name, int order, Consumer<String> seen, Step step) {
            super(name, order, seen);
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
        inApplication(application -> {
            catchThrowable(() -> application.inTransaction(() -> {
                application.register(new Failing("early", 0, application.seen()::see, step));
                application.orders().under("a");
                application.register(new Failing("late", Ordered.LOWEST_PRECEDENCE, application.seen()::see, step));
            }));
            assertThat(application.seen().events()).containsExactly("early", "late", "release");
        });
    }

    @Test
    void theLockOfASuspendedTransactionIsHeldByTheCallbacksOfBoth() {
        inApplication(application -> {
            application.inTransaction(() -> {
                application.orders().under("outer");
                application.register("outer", Ordered.LOWEST_PRECEDENCE);
                application.inNewTransaction(() -> {
                    application.orders().under("inner");
                    application.orders().under("outer");
                    application.register("inner", Ordered.LOWEST_PRECEDENCE);
                });
                application.seen().see("back in the outer");
            });
            assertThat(application.seen().events())
                    .containsExactly("inner", "release", "back in the outer", "outer", "release");
        });
    }

    /** As JTA ends those that were begun outside of Spring, on a thread that may be in another transaction by then. */
    @Test
    void aTransactionThatEndsInTheScopeOfAnotherReleasesItsLockThere() {
        inApplication(application -> {
            List<TransactionSynchronization> callbacks = new ArrayList<>();
            application.inTransaction(() -> {
                application.orders().under("a");
                callbacks.addAll(TransactionSynchronizationManager.getSynchronizations());
                TransactionSynchronizationManager.clearSynchronization();
                TransactionSynchronizationManager.initSynchronization();
                callbacks.forEach(TransactionSynchronization::afterCommit);
                callbacks.forEach(ended -> ended.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
                application.seen().see("the other goes on");
            });
            assertThat(application.seen().events()).containsExactly("release", "the other goes on");
        });
    }

    /** Of a transaction of its own, and of the one whose end it hears of. */
    @Test
    void aListenerThatOpensATransactionReleasesOnlyItsOwnLock() {
        inApplication(application -> {
            application.inTransaction(() -> {
                application.orders().under("outer");
                application.register(new Callback("outer", Ordered.LOWEST_PRECEDENCE, application.seen()::see) {
                    @Override
                    public void afterCompletion(int status) {
                        application.inNewTransaction(() -> {
                            application.orders().under("inner");
                            application.register("inner", Ordered.LOWEST_PRECEDENCE);
                        });
                        super.afterCompletion(status);
                    }
                });
            });
            assertThat(application.seen().events()).containsExactly("inner", "release", "outer", "release");
        });
    }
}
