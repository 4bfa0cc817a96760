package io.dynamolock.lockingread;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Calls that have their effect and whose answers do not arrive. The client repeats such a call by itself; when it gives
 * up, the caller hears of it.
 */
class LostAnswersTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Key KEY = Shop.key("42");

    @AutoClose
    private final Shop shop = new Shop();

    private final VirtualTime clock = Shop.clock(Duration.ZERO);
    private final LockingTable<Customer> customers =
            shop.customers("me").on(clock, Shop.delayer(clock)).build();

    private final LockingTable<Customer> creating =
            shop.customers("me").lockAbsentItems().build();

    /** A table whose next call has its effect and then fails, when it is told so. */
    private final AtomicBoolean failing = new AtomicBoolean();

    private final LockingTable<Customer> failingCustomers = shop.customers(real -> {
                UpdateItemResponse answer = real.get();
                if (failing.getAndSet(false)) {
                    throw ApiCallTimeoutException.create("no answer", new TimeoutException());
                }
                return answer;
            })
            .build();

    LostAnswersTest() {
        shop.putCustomer("42", 5);
    }

    @Test
    void aCallerRecognizesItsOwnLockIfTheAnswerWasLost() {
        shop.loseAnswers(1);

        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();

        assertThat(locked.item().getTotal()).isEqualTo(5);
        assertThat(locked.remaining()).isEqualTo(LEASE.minus(LEASE.dividedBy(12)));
        assertThat(locked.updateAndRelease(Customer.of("42", 6)).getTotal()).isEqualTo(6);
    }

    @Test
    void anAbsentItemWhoseLockWasSentTwiceIsNew() {
        shop.loseAnswers(1);

        LockedItem<Customer> locked =
                creating.lockAndRead(Shop.key("43"), LEASE).orElseThrow();

        assertThat(locked.isNew()).isTrue();
    }

    @Test
    void aWriteWhoseAnswerWasLostIsRecognizedInTheItem() {
        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();
        shop.loseAnswers(1);

        assertThat(locked.updateAndRelease(Customer.of("42", 6)).getTotal()).isEqualTo(6);

        assertThat(shop.item("42")).containsOnlyKeys("id", "total").containsEntry("total", Shop.number(6));
    }

    @Test
    void aRepeatedWriteAfterTheEndOfTheLeaseCountsAsUnknown() {
        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();
        shop.loseAnswers(1);
        clock.advance(LEASE);

        // Another caller may have taken the lock, written the same and gone.
        var lost = thrown(ItemLockLostException.class, () -> locked.updateAndRelease(Customer.of("42", 6)));
        assertThat(lost.mayHaveWritten()).isTrue();
    }

    @Test
    @SuppressWarnings("ReturnValueIgnored") // The first answer is lost.
    void aWriteThatWasSentTwiceAndIsNotInTheItemSaysThatItMayHaveLanded() {
        boolean[] locked = {false};
        LockingTable<Customer> table = shop.customers(real -> {
                    if (locked[0]) {
                        real.get();
                        shop.putCustomer("42", 100);
                        return sentAgain(real);
                    }
                    locked[0] = true;
                    return real.get();
                })
                .build();
        LockedItem<Customer> item = table.lockAndRead(KEY, LEASE).orElseThrow();

        var lost = thrown(ItemLockLostException.class, () -> item.updateAndRelease(Customer.of("42", 6)));
        assertThat(lost.mayHaveWritten()).isTrue();
    }

    /** As the client fails when it is not the first sending that is refused. */
    private static UpdateItemResponse sentAgain(Supplier<UpdateItemResponse> real) {
        try {
            return real.get();
        } catch (ConditionalCheckFailedException refusal) {
            throw refusal.toBuilder().numAttempts(2).build();
        }
    }

    @Test
    void aReleaseWhoseAnswerWasLostCountsAsARelease() {
        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();
        shop.loseAnswers(1);

        assertThat(locked.release()).isTrue();

        assertThat(shop.item("42")).containsOnlyKeys("id", "total");
    }

    @Test
    void aDeletionWhoseAnswerWasLostCountsAsARelease() {
        LockedItem<Customer> locked =
                creating.lockAndRead(Shop.key("43"), LEASE).orElseThrow();
        shop.loseAnswers(1);

        assertThat(locked.release()).isTrue();

        assertThat(shop.item("43")).isEmpty();
    }

    @Test
    void aLockWhoseCallerNeverGotTheAnswerIsTakenByTheNextTry() {
        failing.set(true);
        thrown(ApiCallTimeoutException.class, () -> failingCustomers.lockAndRead(KEY, LEASE));
        assertThat(shop.item("42")).containsKey("lockToken");

        assertThat(customers.lockAndRead(KEY, LEASE)).isEmpty();
        assertThat(failingCustomers.lockAndRead(KEY, LEASE)).isPresent();
        assertThat(failingCustomers.lockAndRead(KEY, LEASE))
                .as("now it is a caller's")
                .isEmpty();
    }

    @Test
    void anExtensionThatArrivesLateDoesNotUndoALaterOne() {
        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();
        UpdateItemRequest first = (UpdateItemRequest) shop.requests().get(0);
        locked.extend(LEASE);
        UpdateItemRequest shorter = (UpdateItemRequest) shop.requests().get(1);
        locked.extend(LEASE.multipliedBy(10));
        Map<String, AttributeValue> extended = shop.item("42");

        for (UpdateItemRequest late : List.of(first, shorter)) {
            assertThatExceptionOfType(ConditionalCheckFailedException.class)
                    .isThrownBy(() -> EmbeddedDynamoDb.blockingClient().updateItem(late));
        }

        assertThat(shop.item("42")).isEqualTo(extended);
        assertThat(locked.isValid()).isTrue();
    }

    @Test
    void aWriteThatFailedWithoutAnAnswerMayBeRepeated() {
        LockedItem<Customer> locked = failingCustomers.lockAndRead(KEY, LEASE).orElseThrow();
        Customer customer = locked.item();
        customer.setTotal(6L);
        failing.set(true);
        thrown(ApiCallTimeoutException.class, () -> locked.updateAndRelease(customer));
        assertThat(shop.item("42")).containsEntry("total", Shop.number(6));
        assertThat(locked.isValid()).isFalse();

        assertThat(locked.updateAndRelease(customer).getTotal()).isEqualTo(6);
        assertThat(locked.isValid()).isFalse();
    }

    @Test
    void aFailureWhileClosingIsNotThrown() {
        LockedItem<Customer> locked = failingCustomers.lockAndRead(KEY, LEASE).orElseThrow();
        failing.set(true);

        locked.close();

        assertThat(shop.item("42")).isEqualTo(Shop.customer("42", 5));
    }
}
