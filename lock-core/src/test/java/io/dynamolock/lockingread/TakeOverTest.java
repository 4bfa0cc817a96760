package io.dynamolock.lockingread;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.time.ClockReading;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/** When a lock passes on whose holder does not release it, by clocks that only the test moves. */
class TakeOverTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    /** A twelfth less, for clocks that are slewed. */
    private static final Duration VALID = LEASE.minus(LEASE.dividedBy(12));
    /** A twelfth more, for clocks that are slewed. */
    private static final Duration RESPECTED = LEASE.plus(LEASE.dividedBy(12));

    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Key KEY = Shop.key("42");

    @AutoClose
    private final Shop shop = new Shop();

    private final VirtualTime holdersTime = Shop.clock(Duration.ofHours(-5));
    private final VirtualTime readersTime = Shop.clock(Duration.ofHours(7));
    private final LockingTable<Customer> holders = at(holdersTime, "holder").build();
    private final LockingTable<Customer> readers = at(readersTime, "reader").build();

    TakeOverTest() {
        shop.putCustomer("42", 5);
    }

    private LockingTableBuilder<Customer, LockingTable<Customer>> at(VirtualTime clock, String owner) {
        return shop.customers(owner).on(clock, Shop.delayer(clock));
    }

    @Test
    void aLockIsTakenOverOnlyAfterAWholeLeaseAndATwelfthWhateverTheClocksSay() {
        assertThat(holders.lockAndRead(KEY, LEASE)).isPresent();

        assertThat(readers.lockAndRead(KEY, LEASE)).isEmpty();
        readersTime.advance(RESPECTED.minus(MILLI));
        assertThat(readers.lockAndRead(KEY, LEASE)).isEmpty();
        readersTime.advance(MILLI);

        // What was seen is remembered between calls, so that it takes one call that does not wait.
        shop.requests().clear();
        assertThat(readers.lockAndRead(KEY, LEASE)).isPresent();
        assertThat(shop.calls()).hasSize(1);
    }

    @Test
    void aWaitingCallerTakesOverAfterALeaseAndNotEarlier() {
        assertThat(holders.lockAndRead(KEY, LEASE)).isPresent();
        Duration before = Duration.ofNanos(readersTime.nanos());

        LockedItem<Customer> taken = readers.lockAndRead(KEY, LEASE, LEASE.multipliedBy(2));

        Duration waited = Duration.ofNanos(readersTime.nanos()).minus(before);
        assertThat(waited).isBetween(RESPECTED, RESPECTED.plusMillis(2));
        assertThat(taken.item().getTotal()).isEqualTo(5);
        assertThat(taken.remaining()).isEqualTo(VALID);
    }

    @Test
    void aWaitShorterThanTheLeaseEndsInTimeAndTellsTheRestOfTheLease() {
        assertThat(holders.lockAndRead(KEY, LEASE)).isPresent();

        Duration wait = Duration.ofSeconds(10);
        ItemLockedException busy = thrown(ItemLockedException.class, () -> readers.lockAndRead(KEY, LEASE, wait));
        assertThat(busy.waited()).isEqualTo(wait);
        assertThat(busy.remaining()).isEqualTo(RESPECTED.minus(wait));
        assertThat(busy.holder()).contains("holder");
    }

    @Test
    void pausesAreBoundedSoThatTheNumberOfCallsIsPredictable() {
        assertThat(holders.lockAndRead(KEY, LEASE)).isPresent();
        shop.requests().clear();

        thrown(ItemLockedException.class, () -> readers.lockAndRead(KEY, LEASE, Duration.ofSeconds(10)));

        // Between a half and the whole of 20, 40, 80, 160 and 320 ms, and then of 500 ms.
        assertThat(shop.calls()).hasSizeBetween(20 + 4, 2 * 20 + 6);
    }

    @Test
    void anExtensionRestartsTheObservationOfALease() {
        LockedItem<Customer> held = holders.lockAndRead(KEY, LEASE).orElseThrow();
        assertThat(readers.lockAndRead(KEY, LEASE)).isEmpty();
        readersTime.advance(RESPECTED.minus(MILLI));

        // The holder's clock stands still, and even so the lock does not look as before.
        held.extend(LEASE);

        readersTime.advance(RESPECTED);
        assertThat(readers.lockAndRead(KEY, LEASE)).isEmpty();
        readersTime.advance(RESPECTED);
        assertThat(readers.lockAndRead(KEY, LEASE)).isPresent();
    }

    @Test
    void anExtensionThatNobodyHasSeenYetStillPreventsATakeOver() {
        LockedItem<Customer> held = holders.lockAndRead(KEY, LEASE).orElseThrow();
        assertThat(readers.lockAndRead(KEY, LEASE)).isEmpty();
        readersTime.advance(LEASE.multipliedBy(2));

        held.extend(LEASE);

        assertThat(readers.lockAndRead(KEY, LEASE)).isEmpty();
        assertThat(held.updateAndRelease(Customer.of("42", 6)).getTotal()).isEqualTo(6);
    }

    @Test
    void anExtensionRenewsTheHoldersOwnLease() {
        LockedItem<Customer> held = holders.lockAndRead(KEY, LEASE).orElseThrow();
        holdersTime.advance(VALID.minus(MILLI));
        assertThat(held.isValid()).isTrue();
        holdersTime.advance(MILLI);
        assertThat(held.isValid()).isFalse();
        assertThat(held.remaining()).isZero();

        held.extend(Duration.ofSeconds(12));

        assertThat(held.remaining()).isEqualTo(Duration.ofSeconds(11));
        holdersTime.advance(Duration.ofSeconds(4));
        assertThat(held.remaining()).isEqualTo(Duration.ofSeconds(7));
        assertThat(shop.item("42")).containsEntry("lockLease", Shop.number(12_000));
    }

    @Test
    void aFrozenHolderThatWakesUpIsToldThatItsLockWasLost() {
        LockedItem<Customer> frozen = holders.lockAndRead(KEY, LEASE).orElseThrow();
        LockedItem<Customer> taken = readers.lockAndRead(KEY, LEASE, LEASE.multipliedBy(2));

        assertThat(frozen.isValid()).as("its clocks stood still").isTrue();
        assertThatExceptionOfType(ItemLockLostException.class)
                .isThrownBy(() -> frozen.updateAndRelease(Customer.of("42", 6)))
                .withMessageContaining("42")
                .satisfies(e -> assertThat(e.mayHaveWritten()).isFalse());
        assertThat(frozen.isValid()).isFalse();
        assertThat(frozen.release()).isFalse();

        assertThat(taken.updateAndRelease(Customer.of("42", 7)).getTotal()).isEqualTo(7);
        assertThat(shop.item("42")).containsEntry("total", Shop.number(7));
    }

    @Test
    void aFrozenHolderIsRefusedEvenIfTheNextHolderWroteTheSameValue() {
        LockedItem<Customer> frozen = holders.lockAndRead(KEY, LEASE).orElseThrow();
        readers.lockAndRead(KEY, LEASE, LEASE.multipliedBy(2)).updateAndRelease(Customer.of("42", 6));

        thrown(ItemLockLostException.class, () -> frozen.updateAndRelease(Customer.of("42", 6)));
    }

    @Test
    void aHolderThatLostTheLockCanNeitherExtendNorRelease() {
        LockedItem<Customer> extending = holders.lockAndRead(KEY, LEASE).orElseThrow();
        LockedItem<Customer> taken = readers.lockAndRead(KEY, LEASE, LEASE.multipliedBy(2));

        assertThatExceptionOfType(ItemLockLostException.class).isThrownBy(() -> extending.extend(LEASE));
        taken.release();

        LockedItem<Customer> releasing = holders.lockAndRead(KEY, LEASE).orElseThrow();
        LockedItem<Customer> takenAgain = readers.lockAndRead(KEY, LEASE, LEASE.multipliedBy(2));
        assertThat(releasing.release()).isFalse();
        assertThat(takenAgain.release()).isTrue();
    }

    @Test
    void aHolderMayWriteAfterItsLeaseIfNobodyTookTheLock() {
        LockedItem<Customer> late = holders.lockAndRead(KEY, LEASE).orElseThrow();
        holdersTime.advance(LEASE.multipliedBy(3));

        assertThat(late.isValid()).isFalse();
        assertThat(late.updateAndRelease(Customer.of("42", 6)).getTotal()).isEqualTo(6);
    }

    @Test
    void theLeaseOfAHolderIsOverWhenEitherOfItsClocksSaysSo() {
        Lease lease = new Lease(ClockReading.of(holdersTime), LEASE, null);
        assertThat(lease.remaining(Shop.clock(Duration.ofHours(-5)))).isEqualTo(VALID);
        // The monotonic clock stood still while the machine was suspended.
        assertThat(lease.remaining(Shop.clock(Duration.ofHours(-5).plus(VALID))))
                .isZero();
        // The wall clock was set back.
        VirtualTime setBack = Shop.clock(Duration.ofHours(-6));
        setBack.advance(VALID);
        assertThat(lease.remaining(setBack)).isZero();
    }

    @Test
    void aTransactionThatIsWritingTheItemCountsAsAHolder() {
        int[] conflicts = {3};
        LockingTable<Customer> table = shop.customers(real -> {
                    if (conflicts[0]-- > 0) {
                        throw TransactionConflictException.builder()
                                .statusCode(400)
                                .message("conflict")
                                .build();
                    }
                    return real.get();
                })
                .on(readersTime, Shop.delayer(readersTime))
                .build();

        assertThat(table.lockAndRead(KEY, LEASE)).isEqualTo(Optional.empty());
        ItemLockedException busy =
                thrown(ItemLockedException.class, () -> table.lockAndRead(KEY, LEASE, Duration.ZERO), "transaction");
        assertThat(busy).hasCauseInstanceOf(TransactionConflictException.class);
        assertThat(busy.holder()).isEmpty();
        assertThat(busy.remaining()).isZero();
        assertThat(table.lockAndRead(KEY, LEASE, LEASE).item().getTotal()).isEqualTo(5);
    }
}
