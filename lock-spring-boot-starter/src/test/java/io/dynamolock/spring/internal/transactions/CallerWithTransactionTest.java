package io.dynamolock.spring.internal.transactions;

import static io.dynamolock.spring.internal.transactions.TransactionOrderTest.count;
import static io.dynamolock.spring.internal.transactions.TransactionOrderTest.seenByOthersAtRelease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.registry.AdoptableLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.aspect.AspectContext;
import io.dynamolock.spring.internal.transactions.TransactionOrderTest.Database;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A locked method whose caller is in a transaction: the next caller must see what that commits. */
class CallerWithTransactionTest {

    @AutoClose
    private final AspectContext context = AspectContext.withTransactions(Map.of(), Database.class, Accounts.class);

    private final FakeLockRegistry locks = context.locks;
    private final Accounts accounts = context.bean(Accounts.class);
    private final TransactionTemplate transaction =
            new TransactionTemplate(context.bean(PlatformTransactionManager.class));

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

        @DynamoLocked(key = "'accounts'")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("done");
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

    @Test
    void theLockIsHeldUntilTheCallersTransactionHasCommitted() {
        List<Integer> seen = seenByOthersAtRelease(context);
        transaction.executeWithoutResult(status -> {
            accounts.open("a");
            assertThat(locks.lastHandle().isReleased()).isFalse();
        });
        assertThat(seen).containsExactly(1);
    }

    @Test
    void aFutureReleasesTheLockWithoutWaitingForTheCallersTransaction() {
        transaction.executeWithoutResult(status -> {
            assertThat(accounts.later()).succeedsWithin(Duration.ofSeconds(20));
            assertThat(locks.lastHandle().isReleased()).isTrue();
        });
    }

    @Test
    void theLockIsReleasedAfterARollback() {
        List<Integer> seen = seenByOthersAtRelease(context);
        transaction.executeWithoutResult(status -> {
            accounts.open("a");
            status.setRollbackOnly();
        });
        assertThat(seen).containsExactly(0);
    }

    @Test
    void theSameTransactionEntersAgainWithoutAsking() {
        transaction.executeWithoutResult(status -> {
            accounts.open("a");
            accounts.open("b");
        });
        assertThat(locks.requests).hasSize(1);
        accounts.open("c");
        assertThat(locks.requests).hasSize(2);
        assertThat(locks.handles).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void aTransactionThatTheMethodSuspendsKeepsItsOwnLocks() {
        TransactionTemplate another = new TransactionTemplate(context.bean(PlatformTransactionManager.class));
        another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        List<Integer> seen = seenByOthersAtRelease(context);
        transaction.executeWithoutResult(status -> {
            another.executeWithoutResult(inner -> accounts.open("a"));
            assertThat(seen).containsExactly(1);
            accounts.open("b");
            assertThat(seen).hasSize(1);
        });
        assertThat(seen).containsExactly(1, 2);
    }

    private void aLossBeforeTheCommitRollsBack() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    accounts.open("a");
                    locks.lastHandle().lose();
                }));
        assertThat(count(context)).isZero();
    }

    @Test
    void aLossBeforeTheCommitRollsBackAndTheCallerIsTold() {
        aLossBeforeTheCommitRollsBack();
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aLossThatIsCaughtInsideTheTransactionRollsBackAllTheSame() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    try {
                        accounts.openUnder("a", () -> locks.lastHandle().lose());
                    } catch (LockLostException swallowed) {
                        // As a caller may do.
                    }
                }));
        assertThat(count(context)).isZero();
    }

    @Test
    void aLossThatIsIgnoredCommits() {
        transaction.executeWithoutResult(status -> {
            accounts.openWhateverHappens("a");
            locks.lastHandle().lose();
        });
        assertThat(count(context)).isEqualTo(1);
    }

    @Test
    void thePropertyMakesTheLockEndWithTheMethod() {
        try (AspectContext atMethodEnd = AspectContext.withTransactions(
                Map.of("dynamolock.aspect.release", "method-end"), Database.class, Accounts.class)) {
            List<Integer> seen = seenByOthersAtRelease(atMethodEnd);
            new TransactionTemplate(atMethodEnd.bean(PlatformTransactionManager.class))
                    .executeWithoutResult(
                            status -> atMethodEnd.bean(Accounts.class).open("a"));
            assertThat(seen).containsExactly(0);
        }
    }

    /** The transaction begins and ends inside of the hold. */
    @Test
    void aLossBeforeTheCommitRollsBackAlsoIfAnOuterMethodHasTheLock() {
        accounts.around(this::aLossBeforeTheCommitRollsBack);
    }

    private ThreadLock entered() {
        LockRequest request = LockRequest.of("accounts").waitTime(Duration.ZERO);
        ThreadLock lock = locks.lock(request);
        ((AdoptableLock) lock).adopt(locks.acquire(request));
        return lock;
    }

    @Test
    void aLossBeforeTheCommitRollsBackIfTheThreadHoldsTheLockByTheRegistry() {
        ThreadLock lock = entered();
        aLossBeforeTheCommitRollsBack();
        lock.unlock();
    }

    @Test
    void aLockThatTheThreadItselfHasReleasedBeforeTheCommitIsNoLoss() {
        transaction.executeWithoutResult(status -> {
            ThreadLock lock = entered();
            accounts.open("a");
            accounts.open("b");
            lock.unlock();
            assertThat(locks.lastHandle().isReleased()).isTrue();
        });
        assertThat(count(context)).isEqualTo(2);
    }

    @Test
    void aTransactionLooksAtEachLockOnce() {
        accounts.around(() -> transaction.executeWithoutResult(status -> {
            for (int i = 0; i < 20; i++) {
                accounts.open("a" + i);
            }
            assertThat(TransactionSynchronizationManager.getSynchronizations()).hasSize(1);
        }));
    }
}
