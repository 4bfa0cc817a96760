package io.dynamolock.spring.internal.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.annotation.PersistenceContextException;
import io.dynamolock.spring.aspect.DynamoLockedAdvisor;
import io.dynamolock.spring.internal.persistence.BoxOffice.Office;
import io.dynamolock.spring.internal.persistence.BoxOffice.Show;
import io.dynamolock.spring.internal.persistence.BoxOffice.Shows;
import io.dynamolock.spring.woven.DynamoLockedAspect;
import io.dynamolock.spring.woven.WovenLocks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.support.TransactionTemplate;

/** What counts as read before the lock. Most tests refuse what was, which says more than a warning. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PersistenceCheckTest {

    private final ConfigurableApplicationContext application = BoxOffice.start(WebApplicationType.NONE);
    private final DynamoLockedAdvisor advisor = application.getBean(DynamoLockedAdvisor.class);
    private final Office office = application.getBean(Office.class);
    private final Shows shows = application.getBean(Shows.class);
    private final LockRegistry locks = application.getBean(LockRegistry.class);

    @BeforeEach
    void refuse() {
        shows.save(new Show(1));
        advisor.setPersistenceContext(PersistenceContextCheck.FAIL);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private TransactionTemplate transaction(Isolation isolation) {
        TransactionTemplate transaction =
                new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        transaction.setIsolationLevel(isolation.value());
        return transaction;
    }

    private Show read() {
        return shows.findById(1L).orElseThrow();
    }

    @Test
    void aTransactionThatHasReadNothingIsFine() {
        assertThat(transaction(Isolation.DEFAULT).<Integer>execute(status -> office.sell(1L)))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"REPEATABLE_READ", "SERIALIZABLE"})
    void aTransactionWithASnapshotIsRefusedAlthoughItHasReadNoEntity(Isolation isolation) {
        transaction(isolation)
                .executeWithoutResult(status -> assertThatExceptionOfType(PersistenceContextException.class)
                        .isThrownBy(() -> office.sell(1L))
                        .withMessageContaining("a transaction with the isolation " + isolation)
                        .withMessageContaining("Begin the transaction inside the locked method"));
        assertThat(read().sold).isZero();
    }

    @Test
    void aTransactionWithAnotherIsolationIsFine() {
        assertThat(transaction(Isolation.READ_COMMITTED).<Integer>execute(status -> office.sell(1L)))
                .isEqualTo(1);
    }

    @Test
    void aSnapshotThatTheMethodSuspendsIsFine() {
        assertThat(transaction(Isolation.SERIALIZABLE).<Integer>execute(status -> office.sellInNewTransaction(1L)))
                .isEqualTo(1);
    }

    /** As if the lock had been moved inside its transaction. */
    @Test
    void aTransactionOfTheMethodItselfIsNotSuspendedByIt() {
        TransactionTemplate own = transaction(Isolation.SERIALIZABLE);
        own.setName(Office.class.getName() + ".sellInNewTransaction");
        own.executeWithoutResult(status -> assertThatExceptionOfType(PersistenceContextException.class)
                .isThrownBy(() -> office.sellInNewTransaction(1L)));
    }

    @Test
    void aRefusedCallIsToldWhatToDoAndHoldsNoLock() {
        transaction(Isolation.DEFAULT).executeWithoutResult(status -> {
            read();
            assertThatExceptionOfType(PersistenceContextException.class)
                    .isThrownBy(() -> office.sell(1L))
                    .withMessageContainingAll(
                            "Office.sell(Long) may see what was true before it had its lock",
                            "the persistence context of its thread already held 1 entity.",
                            "So it was not entered, and no lock was taken.",
                            "Read entities only inside the locked method, or refresh() them there",
                            "'Read after the lock, not before'");
            assertThat(locks.admin().held()).isEmpty();
        });
    }

    @Test
    void aLockThatTheCallerHoldsAlreadyIsNotChecked() {
        assertThat(office.sellTwo(1L, office)).isEqualTo(3);
    }

    @Test
    void aChangedEntityThatWasReadBeforeStaysAttached() {
        advisor.setPersistenceContext(PersistenceContextCheck.WARN);
        transaction(Isolation.DEFAULT).executeWithoutResult(status -> {
            Show handedIn = read();
            handedIn.sold = 16;
            office.sell(1L);
            assertThat(handedIn.sold).isEqualTo(17);
        });
        assertThat(read().sold).isEqualTo(17);
    }

    @ParameterizedTest
    @CsvSource({"WARN, 1", "IGNORE, 0"})
    void locksAreCountedByNameUnlessTheCheckIsOff(PersistenceContextCheck check, double counted) {
        advisor.setPersistenceContext(check);
        Counter counter = application
                .getBean(MeterRegistry.class)
                .get("dynamolock.persistence.context")
                .tag("name", "Office.sellRefreshed")
                .counter();
        double before = counter.count();
        transaction(Isolation.DEFAULT).executeWithoutResult(status -> {
            read();
            office.sellRefreshed(1L);
        });
        assertThat(counter.count() - before).isEqualTo(counted);
    }

    @Test
    void aRefusedCallDoesNotWaitForTheLock() {
        try (LockHandle other = locks.acquire("show:1", Duration.ofMinutes(1))) {
            transaction(Isolation.DEFAULT).executeWithoutResult(status -> {
                read();
                assertThatExceptionOfType(PersistenceContextException.class).isThrownBy(() -> office.sell(1L));
            });
            assertThat(other.isValid()).isTrue();
        }
    }

    @Test
    void aFutureIsCheckedIfItsMethodRunsOnTheCallersThread() {
        transaction(Isolation.DEFAULT).executeWithoutResult(status -> {
            read();
            assertThat(office.onItsCallersThread(1L))
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableThat()
                    .withCauseInstanceOf(PersistenceContextException.class);
            assertThat(office.onAnotherThread(1L))
                    .succeedsWithin(Duration.ofMinutes(1))
                    .isNotEqualTo(Thread.currentThread().getName());
        });
        assertThat(locks.admin().held()).isEmpty();
    }

    /** Whether a proxy is passed that suspends the caller's transaction is not known then. */
    @ParameterizedTest
    @ValueSource(strings = {"sell", "sellInNewTransaction"})
    void aWovenMethodIsCheckedToo(String name, CapturedOutput output) throws Throwable {
        Method method = Office.class.getMethod(name, Long.class);
        MethodSignature signature = mock(MethodSignature.class);
        when(signature.getMethod()).thenReturn(method);
        ProceedingJoinPoint call = mock(ProceedingJoinPoint.class);
        when(call.getSignature()).thenReturn(signature);
        when(call.getArgs()).thenReturn(new Object[] {1L});
        when(call.getThis()).thenReturn(AopTestUtils.getUltimateTargetObject(office));
        when(call.proceed(any())).thenReturn(1);
        WovenLocks.use(locks);
        try {
            transaction(Isolation.DEFAULT).executeWithoutResult(status -> {
                read();
                assertThatNoException()
                        .isThrownBy(() -> DynamoLockedAspect.aspectOf().lock(call));
            });
        } finally {
            WovenLocks.forget();
        }
        assertThat(output)
                .containsOnlyOnce("Office." + name + "(Long) may see what was true before it had its lock")
                .contains("already held 1 entity");
    }
}
