package io.dynamolock.test.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;

import io.dynamolock.LockException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.test.DynamoLockTest;
import io.dynamolock.test.LockGrant;
import io.dynamolock.test.TestLocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DynamoLockTest
@Import(Orders.class)
@Timeout(60)
class SliceTest {

    @Autowired
    private Orders orders;

    @Autowired
    private TestLocks locks;

    @Autowired
    private LockRegistry registry;

    @Autowired
    private ApplicationContext context;

    @MockitoBean
    private Shelf shelf;

    @Test
    void thereAreLocksInMemoryAndNoClientsAndNoWeb() {
        assertThat(context.getBeansOfType(DynamoDbClient.class)).isEmpty();
        assertThat(context.getBeansOfType(DynamoDbAsyncClient.class)).isEmpty();
        assertThat(context.containsBean("taskScheduler")).isFalse();
        assertThat(locks.registry()).isSameAs(registry);
    }

    @Test
    void aBusyLockTimesOutForEveryKindOfMethod() {
        locks.timeOut("order:1");

        assertEveryKindOfMethodFailsBy(LockTimeoutException.class);
    }

    private void assertEveryKindOfMethodFailsBy(Class<? extends LockException> failure) {
        assertThatThrownBy(() -> orders.place("1")).isInstanceOf(failure);
        assertThatThrownBy(() -> orders.placeByRegistry("1")).isInstanceOf(failure);
        assertThat(orders.placeLater("1"))
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(failure);
        assertThatThrownBy(() -> orders.placeReactively("1").block()).isInstanceOf(failure);
    }

    @Test
    void everyKindOfMethodWaitsByTheClockThatIsMoved() {
        locks.occupy("order:1", Duration.ofMinutes(30));
        CompletableFuture<String> blocking = CompletableFuture.supplyAsync(() -> orders.place("1"));
        CompletableFuture<String> later = orders.placeLater("1");
        CompletableFuture<String> reactive = orders.placeReactively("1").toFuture();
        given(shelf.take("1")).willReturn("here");
        locks.awaitWaiting("order:1");
        assertThat(later).isNotDone();

        locks.advance(Duration.ofMinutes(30));

        assertThat(blocking).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("here");
        assertThat(later).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("here");
        assertThat(reactive).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("here");
    }

    @Test
    void aLockThatIsLostUnderWayIsTold() {
        willAnswer(call -> {
                    locks.lose("order:1");
                    return "late";
                })
                .given(shelf)
                .take("1");

        assertEveryKindOfMethodFailsBy(LockLostException.class);
    }

    @Test
    void everyKindOfMethodIsEnteredUnderItsLock() {
        willAnswer(call -> {
                    locks.assertHeld("order:1");
                    return "held";
                })
                .given(shelf)
                .take(any());

        assertThat(orders.place("1")).isEqualTo("held");
        assertThat(orders.placeByRegistry("1")).isEqualTo("held");
        assertThat(orders.placeLater("1")).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("held");
        assertThat(orders.placeReactively("1").block()).isEqualTo("held");

        locks.assertEnteredUnderLock(Orders.class, "place", "order:1");
        locks.assertEnteredUnderLock(Orders.class, "place", "order:1", LockRequest.DEFAULT_NAMESPACE);
        locks.assertEnteredUnderLock(Orders.class, "placeLater", "order:1");
        locks.assertEnteredUnderLock(Orders.class, "placeReactively", "order:1");
        assertThat(locks.grants("Orders.placeByRegistry"))
                .extracting(LockGrant::key)
                .containsExactly("order:1");
    }

    @Test
    void aMethodThatWasNotEnteredUnderTheLockFailsAndSaysWhatWasSeen() {
        orders.place("2");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> locks.assertEnteredUnderLock(Orders.class, "place", "order:1"))
                .withMessage("Orders.place was not entered under lock 'order:1'. It was entered under 'order:2'.");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> locks.assertEnteredUnderLock(Orders.class, "place", "order:2", "other"))
                .withMessageContaining("in namespace 'other'");
    }

    @Test
    void aMethodThatCallsItselfIsNotEnteredUnderItsLock() {
        orders.placeByItself("1");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> locks.assertEnteredUnderLock(Orders.class, "place", "order:1"))
                .withMessageContaining("within the same object")
                .withMessageContaining("No locked method was entered");
    }

    @Test
    void aMethodWhoseConditionDoesNotHoldIsNotEnteredUnderItsLock() {
        orders.placeUnlessFree("free");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> locks.assertEnteredUnderLock(Orders.class, "placeUnlessFree", "order:free"))
                .withMessageContaining("It was entered without a lock");
    }

    @Test
    void aMethodThatDoesNotExistIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.assertEnteredUnderLock(Orders.class, "plaice", "order:1"))
                .withMessageContaining("plaice");
    }

    /** Each of them finds nothing of the one before. */
    @RepeatedTest(3)
    void nothingLeaksFromOneTestToTheNext() {
        assertThat(locks.grants()).isEmpty();
        LockHandle leaked = registry.acquire("leaked", Duration.ZERO);
        assertThat(leaked.isValid()).isTrue();
        locks.occupy("busy");
        locks.timeOut("late");
        locks.refuseStore();
    }

    @Nested
    class WithinAnother {

        @Test
        void theSameLocksAreThere() {
            locks.timeOut("order:1");

            assertThatThrownBy(() -> orders.place("1")).isInstanceOf(LockTimeoutException.class);
        }

        @RepeatedTest(2)
        void nothingLeaksEither() {
            assertThat(locks.grants()).isEmpty();
            registry.acquire("leaked", Duration.ZERO);
            locks.refuseStore();
        }
    }
}
