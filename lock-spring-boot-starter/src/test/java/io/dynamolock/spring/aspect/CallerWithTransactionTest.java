package io.dynamolock.spring.aspect;

import static io.dynamolock.spring.aspect.TransactionOrderTest.count;
import static io.dynamolock.spring.aspect.TransactionOrderTest.seenByOthersAtRelease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.AdoptableLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A locked method whose caller is in a transaction: the next caller must see what that commits. */
class CallerWithTransactionTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    DynamoLockAspectAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true")
            .withUserConfiguration(Application.class);

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        FakeLockRegistry dynamoLockRegistry() {
            return new FakeLockRegistry();
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("create table account (id varchar(20) primary key)");
            return jdbc;
        }

        @Bean
        Accounts accounts(JdbcTemplate jdbc) {
            return new Accounts(jdbc);
        }
    }

    static class Accounts {

        private final JdbcTemplate jdbc;

        Accounts(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @DynamoLocked(key = "'accounts'")
        public void open(String id) {
            jdbc.update("insert into account (id) values (?)", id);
        }

        @DynamoLocked(key = "'accounts'")
        public void openUnder(String id, Runnable inside) {
            open(id);
            inside.run();
        }

        @DynamoLocked(key = "'accounts'", onLost = OnLost.IGNORE)
        public void around(Runnable inside) {
            inside.run();
        }

        @DynamoLocked(key = "'accounts'", onLost = OnLost.IGNORE)
        public void openWhateverHappens(String id) {
            open(id);
        }
    }

    private record Running(
            ApplicationContext context, Accounts accounts, FakeLockRegistry locks, TransactionTemplate transaction) {

        int committed() {
            return count(context.getBean(JdbcTemplate.class));
        }
    }

    private void inApplication(Consumer<Running> test) {
        inApplication(runner, test);
    }

    private static void inApplication(ApplicationContextRunner runner, Consumer<Running> test) {
        runner.run(context -> test.accept(new Running(
                context,
                context.getBean(Accounts.class),
                context.getBean(FakeLockRegistry.class),
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class)))));
    }

    @Test
    void theLockIsHeldUntilTheCallersTransactionHasCommitted() {
        inApplication(application -> {
            List<Integer> seen = seenByOthersAtRelease(application.context());
            application.transaction().executeWithoutResult(status -> {
                application.accounts().open("a");
                assertThat(application.locks().lastHandle().isReleased()).isFalse();
            });
            assertThat(seen).containsExactly(1);
        });
    }

    @Test
    void theLockIsReleasedAfterARollback() {
        inApplication(application -> {
            List<Integer> seen = seenByOthersAtRelease(application.context());
            application.transaction().executeWithoutResult(status -> {
                application.accounts().open("a");
                status.setRollbackOnly();
            });
            assertThat(seen).containsExactly(0);
        });
    }

    @Test
    void theSameTransactionEntersAgainWithoutAsking() {
        inApplication(application -> {
            application.transaction().executeWithoutResult(status -> {
                application.accounts().open("a");
                application.accounts().open("b");
            });
            assertThat(application.locks().requests).hasSize(1);
            application.accounts().open("c");
            assertThat(application.locks().requests).hasSize(2);
            assertThat(application.locks().handles).allMatch(FakeLockRegistry.FakeHandle::isReleased);
        });
    }

    @Test
    void aTransactionThatTheMethodSuspendsKeepsItsOwnLocks() {
        inApplication(application -> {
            TransactionTemplate another =
                    new TransactionTemplate(application.context().getBean(PlatformTransactionManager.class));
            another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            List<Integer> seen = seenByOthersAtRelease(application.context());
            application.transaction().executeWithoutResult(status -> {
                another.executeWithoutResult(inner -> application.accounts().open("a"));
                assertThat(seen).containsExactly(1);
                application.accounts().open("b");
                assertThat(seen).hasSize(1);
            });
            assertThat(seen).containsExactly(1, 2);
        });
    }

    @Test
    void aLossBeforeTheCommitRollsBackAndTheCallerIsTold() {
        inApplication(application -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> application.transaction().executeWithoutResult(status -> {
                        application.accounts().open("a");
                        application.locks().lastHandle().lose();
                    }));
            assertThat(application.committed()).isZero();
            assertThat(application.locks().lastHandle().isReleased()).isTrue();
        });
    }

    @Test
    void aLossThatIsCaughtInsideTheTransactionRollsBackAllTheSame() {
        inApplication(application -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> application.transaction().executeWithoutResult(status -> {
                        try {
                            application
                                    .accounts()
                                    .openUnder(
                                            "a",
                                            () -> application
                                                    .locks()
                                                    .lastHandle()
                                                    .lose());
                        } catch (LockLostException swallowed) {
                            // As a caller may do.
                        }
                    }));
            assertThat(application.committed()).isZero();
        });
    }

    @Test
    void aLossThatIsIgnoredCommits() {
        inApplication(application -> {
            application.transaction().executeWithoutResult(status -> {
                application.accounts().openWhateverHappens("a");
                application.locks().lastHandle().lose();
            });
            assertThat(application.committed()).isEqualTo(1);
        });
    }

    @Test
    void thePropertyMakesTheLockEndWithTheMethod() {
        inApplication(runner.withPropertyValues("dynamolock.aspect.release=method-end"), application -> {
            List<Integer> seen = seenByOthersAtRelease(application.context());
            application
                    .transaction()
                    .executeWithoutResult(status -> application.accounts().open("a"));
            assertThat(seen).containsExactly(0);
        });
    }

    /** The transaction begins and ends inside of the hold. */
    @Test
    void aLossBeforeTheCommitRollsBackAlsoIfAnOuterMethodHasTheLock() {
        inApplication(application -> {
            application
                    .accounts()
                    .around(() -> assertThatExceptionOfType(LockLostException.class)
                            .isThrownBy(() -> application.transaction().executeWithoutResult(status -> {
                                application.accounts().open("a");
                                application.locks().lastHandle().lose();
                            })));
            assertThat(application.committed()).isZero();
        });
    }

    private static ThreadLock entered(Running application) {
        LockRequest request = LockRequest.of("accounts").wait(Duration.ZERO);
        ThreadLock lock = application.locks().lock(request);
        ((AdoptableLock) lock).adopt(application.locks().acquire(request));
        return lock;
    }

    @Test
    void aLossBeforeTheCommitRollsBackAlsoIfTheThreadHasTheLockByTheRegistry() {
        inApplication(application -> {
            ThreadLock lock = entered(application);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> application.transaction().executeWithoutResult(status -> {
                        application.accounts().open("a");
                        application.locks().lastHandle().lose();
                    }));
            lock.unlock();
            assertThat(application.committed()).isZero();
        });
    }

    @Test
    void aLockThatTheThreadItselfHasReleasedBeforeTheCommitIsNoLoss() {
        inApplication(application -> {
            application.transaction().executeWithoutResult(status -> {
                ThreadLock lock = entered(application);
                application.accounts().open("a");
                application.accounts().open("b");
                lock.unlock();
                assertThat(application.locks().lastHandle().isReleased()).isTrue();
            });
            assertThat(application.committed()).isEqualTo(2);
        });
    }

    @Test
    void aTransactionLooksAtEachLockOnce() {
        inApplication(application -> application
                .accounts()
                .around(() -> application.transaction().executeWithoutResult(status -> {
                    for (int i = 0; i < 20; i++) {
                        application.accounts().open("a" + i);
                    }
                    assertThat(TransactionSynchronizationManager.getSynchronizations())
                            .hasSize(1);
                })));
    }
}
