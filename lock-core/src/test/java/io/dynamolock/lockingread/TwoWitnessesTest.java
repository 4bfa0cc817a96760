package io.dynamolock.lockingread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.Key;

/**
 * When DynamoDB's clock and the wall clock say that a lock is over: a process that has not watched the lock takes it
 * over, but never from a holder that still counts on it.
 */
class TwoWitnessesTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration DELAY = LEASE.dividedBy(12);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<Duration> WALLS = List.of(YEAR.negated(), MINUTE.negated(), Duration.ZERO, MINUTE, YEAR);
    private static final Key KEY = Shop.key("42");

    @AutoClose
    private final Shop shop = new Shop();

    private final VirtualTime truth = new VirtualTime();

    TwoWitnessesTest() {
        // So that no time is before 1970.
        truth.moveWallClock(YEAR.multipliedBy(50));
        shop.putCustomer("42", 5);
    }

    /** What the answers tell that a process gets. */
    enum Dates {
        RIGHT,
        MISSING,
        CACHED,
        FAST;

        @Nullable
        Instant at(Instant now) {
            return switch (this) {
                case RIGHT -> now;
                case MISSING -> null;
                case CACHED -> now.minus(MINUTE);
                case FAST -> now.plus(MINUTE);
            };
        }
    }

    /** A process with clocks of its own. Each of its tables knows as little as a process that was just started. */
    private final class Machine {

        private final Dates dates;
        private final double rate;
        private Duration wallAhead;
        private Duration stoodStill = Duration.ZERO;

        private final TimeSource clocks = new TimeSource() {
            @Override
            public long nanos() {
                return (long) ((truth.nanos() - stoodStill.toNanos()) * Machine.this.rate);
            }

            @Override
            public Instant now() {
                return truth.now().minusNanos(truth.nanos()).plusNanos(nanos()).plus(wallAhead);
            }
        };

        Machine(Duration wallAhead, Dates dates, double rate) {
            this.wallAhead = wallAhead;
            this.dates = dates;
            this.rate = rate;
        }

        Machine(Duration wallAhead, Dates dates) {
            this(wallAhead, dates, 1);
        }

        LockingTable<Customer> table() {
            return shop.customers("a process").on(clocks, Shop.delayer(truth)).build();
        }

        Optional<LockedItem<Customer>> lock(LockingTable<Customer> table) {
            hears();
            return table.lockAndRead(KEY, LEASE);
        }

        Optional<LockedItem<Customer>> lockFresh() {
            return lock(table());
        }

        /** From now on, answers tell what this process is told. */
        void hears() {
            shop.tellsTime(() -> dates.at(truth.now()));
        }
    }

    private final Machine right = new Machine(Duration.ZERO, Dates.RIGHT);

    @Test
    void aFreshProcessTakesOverTheLockOfAFreshProcessWithoutWaiting() {
        assertThat(right.lockFresh()).isPresent();
        Duration before = Duration.ofNanos(truth.nanos());

        Duration waited = Duration.ZERO;
        while (right.lockFresh().isEmpty() && waited.compareTo(MINUTE) < 0) {
            truth.advance(SECOND);
            waited = Duration.ofNanos(truth.nanos()).minus(before);
        }

        assertThat(waited).isBetween(LEASE.plus(DELAY), LEASE.plus(DELAY).plusSeconds(10));
    }

    @ParameterizedTest
    @EnumSource(names = {"MISSING", "CACHED"})
    void aProcessThatCannotTellHasToWatch(Dates dates) {
        Machine unsure = new Machine(Duration.ZERO, dates);
        assertThat(right.lockFresh()).isPresent();
        LockingTable<Customer> watching = unsure.table();
        assertThat(unsure.lock(watching)).isEmpty();
        truth.advance(LEASE.plus(DELAY).minusMillis(1));
        assertThat(unsure.lockFresh()).isEmpty();
        assertThat(unsure.lock(watching)).isEmpty();

        truth.advance(Duration.ofMillis(1));
        assertThat(unsure.lockFresh()).isEmpty();
        assertThat(unsure.lock(watching)).isPresent();
    }

    /** Every combination in which all wall clocks are right, or both processes are told the same. */
    static Stream<Arguments> wrongClocks() {
        List<Arguments> all = new ArrayList<>();
        for (Dates told : Dates.values()) {
            for (Dates toldOthers : Dates.values()) {
                for (Duration wall : WALLS) {
                    for (Duration othersWall : WALLS) {
                        boolean areWallsRight = wall.isZero() && othersWall.isZero();
                        if (areWallsRight || told == toldOthers) {
                            all.add(Arguments.of(wall, told, othersWall, toldOthers));
                        }
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("wrongClocks")
    void noLockIsTakenOverFromAHolderThatCountsOnIt(Duration wall, Dates told, Duration othersWall, Dates toldOthers) {
        Machine holder = new Machine(wall, told);
        Machine other = new Machine(othersWall, toldOthers);
        LockingTable<Customer> known = holder.table();
        holder.lock(known).orElseThrow().release();
        LockingTable<Customer> watching = other.table();

        for (LockingTable<Customer> table : List.of(holder.table(), known)) {
            LockedItem<Customer> held = holder.lock(table).orElseThrow();
            assertThat(held.isValid()).isTrue();
            assertNotTaken(held, other, watching);
            holder.hears();
            held.extend(LEASE);
            assertNotTaken(held, other, watching);
            holder.hears();
            held.release();
        }
    }

    private void assertNotTaken(LockedItem<Customer> held, Machine other, LockingTable<Customer> watching) {
        for (int i = 0; i < 3; i++) {
            assertThat(other.lockFresh()).isEmpty();
            assertThat(other.lock(watching)).isEmpty();
            truth.advance(Duration.ofMillis(9_160));
        }
        assertThat(held.isValid()).as("until a twelfth of the lease is left").isTrue();
        assertThat(other.lockFresh()).isEmpty();
        assertThat(other.lock(watching)).isEmpty();
    }

    @Test
    void aHolderWhoseClocksAreSlowLosesNoLockToAWatcherWhoseClocksAreFast() {
        Machine slow = new Machine(Duration.ZERO, Dates.RIGHT, 11 / 12.0);
        Machine fast = new Machine(Duration.ZERO, Dates.RIGHT, 13 / 12.0);
        LockedItem<Customer> held = slow.lockFresh().orElseThrow();
        LockingTable<Customer> watching = fast.table();
        while (held.isValid()) {
            assertThat(fast.lock(watching)).isEmpty();
            assertThat(fast.lockFresh()).isEmpty();
            truth.advance(Duration.ofMillis(100));
        }
    }

    @Test
    void aLockThatIsSentAfterBothClocksStoodStillIsNotTakenOverEarly() {
        LockingTable<Customer> suspended = right.table();
        right.lock(suspended).orElseThrow().release();
        right.stoodStill = Duration.ofHours(1);
        truth.advance(Duration.ofHours(1));
        shop.requests().clear();

        LockedItem<Customer> held = right.lock(suspended).orElseThrow();

        // The wall clock is still behind, but DynamoDB's time is known by the answer.
        assertThat(shop.calls()).hasSize(2);
        assertThat(held.isValid()).isTrue();
        Machine other = new Machine(Duration.ZERO, Dates.RIGHT);
        assertNotTaken(held, other, other.table());
    }

    @Test
    void anExtensionThatIsSentAfterBothClocksStoodStillIsRepeated() {
        LockedItem<Customer> held = right.lockFresh().orElseThrow();
        right.stoodStill = Duration.ofHours(1);
        truth.advance(Duration.ofHours(1));
        shop.requests().clear();

        held.extend(LEASE);

        assertThat(shop.calls()).hasSize(2);
        Machine other = new Machine(Duration.ZERO, Dates.RIGHT);
        assertNotTaken(held, other, other.table());
    }

    @Test
    void aLockWhoseEndNoAnswerConfirmsIsWrittenWithoutAnEnd() {
        LockingTable<Customer> table = right.table();
        right.lock(table).orElseThrow().release();
        Instant[] told = {truth.now()};
        // Each answer tells a time that is a minute later than the last.
        shop.tellsTime(() -> told[0] = told[0].plus(MINUTE));

        LockedItem<Customer> held = table.lockAndRead(KEY, LEASE).orElseThrow();

        assertThat(held.isValid()).isTrue();
        assertThat(shop.item("42")).doesNotContainKey("lockedUntil").containsKey("lockToken");
    }

    @Test
    void anAnswerWithoutATimeLeavesNoEarlierEndInTheItem() {
        LockedItem<Customer> held = right.lockFresh().orElseThrow();
        assertThat(shop.item("42")).containsKey("lockedUntil");
        shop.tellsTime(() -> null);

        held.extend(LEASE);

        assertThat(held.isValid()).isTrue();
        assertThat(shop.item("42")).doesNotContainKey("lockedUntil");
    }

    @Test
    void theTimeInTheAnswersOfDynamoDbIsUsed() {
        LockingTable<Customer> table = LockingTable.builder(
                        EmbeddedDynamoDb.blockingClient(),
                        DynamoDbEnhancedClient.builder()
                                .dynamoDbClient(EmbeddedDynamoDb.blockingClient())
                                .build()
                                .table(shop.name, Shop.CUSTOMER))
                .build();

        assertThat(table.lockAndRead(KEY, LEASE).orElseThrow().isValid()).isTrue();

        assertThat(shop.item("42")).containsKey("lockedUntil");
    }

    @Test
    void aLockWhoseFirstExtensionFailsIsHeldAllTheSame() {
        int[] calls = {0};
        LockingTable<Customer> table = shop.customers(real -> {
                    if (++calls[0] == 2) {
                        throw ApiCallTimeoutException.create("no answer", new TimeoutException());
                    }
                    return real.get();
                })
                .on(right.clocks, Shop.delayer(truth))
                .build();

        LockedItem<Customer> held = right.lock(table).orElseThrow();

        assertThat(held.isValid()).isTrue();
        assertThat(held.updateAndRelease(Customer.of("42", 6)).getTotal()).isEqualTo(6);
    }

    @Test
    void onlyTheFirstLockOfATableTakesAnExtensionMore() {
        LockingTable<Customer> table = right.table();

        right.lock(table).orElseThrow().release();
        assertThat(shop.calls()).hasSize(3);
        right.lock(table).orElseThrow().release();
        assertThat(shop.calls()).hasSize(5);
    }

    @Test
    void theRemainingTimeThatIsToldIsEnoughForAFreshProcess() {
        assertThat(right.lockFresh()).isPresent();
        truth.advance(Duration.ofMillis(20_300));
        right.hears();

        assertThatExceptionOfType(ItemLockedException.class)
                .isThrownBy(() -> right.table().lockAndRead(KEY, LEASE, Duration.ZERO))
                .satisfies(busy -> {
                    assertThat(busy.remaining()).isBetween(Duration.ofSeconds(16), Duration.ofSeconds(20));
                    truth.advance(busy.remaining());
                });

        assertThat(right.lockFresh()).isPresent();
    }

    @Test
    void aTakeOverAtOnceTakesTwoCalls() {
        assertThat(right.lockFresh()).isPresent();
        truth.advance(MINUTE);
        shop.requests().clear();

        LockedItem<Customer> taken = right.lockFresh().orElseThrow();

        assertThat(shop.calls()).as("the refusal tells the time").hasSize(2);
        assertThat(taken.isValid()).isTrue();
    }

    @Test
    void aTakeOverAtOnceIsRefusedIfTheHolderExtendsMeanwhile() {
        LockedItem<Customer> late = right.lockFresh().orElseThrow();
        truth.advance(MINUTE);
        int[] calls = {0};
        LockingTable<Customer> table = shop.customers(real -> {
                    if (++calls[0] == 2) {
                        late.extend(LEASE);
                    }
                    return real.get();
                })
                .on(right.clocks, Shop.delayer(truth))
                .build();

        assertThat(right.lock(table)).isEmpty();

        assertThat(calls[0]).isEqualTo(2);
        assertThat(late.isValid()).isTrue();
        assertThat(late.release()).isTrue();
    }
}
