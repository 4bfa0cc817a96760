package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process with a short retention makes no item go that another process needs. */
class ItemExpiryTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LONG = Duration.ofDays(7);

    private final Bench bench = new Bench();

    /** A process with the usual retention. */
    private final LockEngine patient = bench.processWithSession();

    /** A process with the shortest retention that there may be. */
    private LockEngine hasty = patient;

    @BeforeEach
    void makeHastyProcess() {
        bench.setRetention(DAY);
        hasty = bench.processWithSession();
    }

    @Test
    void aProcessWithAShortRetentionNeverMakesAnItemGoEarlier() {
        bench.release(bench.grant(patient));
        Instant before = expiresAt();
        assertThat(before)
                .isBetween(in(LONG.plus(DAY).minus(MINUTE)), in(LONG.plus(DAY).plus(MINUTE)));

        bench.release(bench.grant(hasty));
        bench.await(hasty.resize(Bench.KEY, 3));

        assertThat(expiresAt()).isEqualTo(before);
    }

    @Test
    void aWaiterWithAShortRetentionHarmsNoHolder() {
        bench.release(bench.grant(patient));
        Grant held = bench.grant(patient);
        Acquisition waiting = bench.acquire(hasty, Bench.waitingForever());

        assertThat(expiresAt()).isAfter(in(LONG));
        bench.time.advance(Duration.ofHours(3));
        assertThat(expiresAt()).isAfter(in(LONG));

        assertThat(held.isValid()).isTrue();
        bench.release(held);
        assertThat(bench.granted(waiting).isValid()).isTrue();
    }

    /** DynamoDB cannot write the later of two times, so the earlier one may land last. */
    @Test
    void theItemOfAHolderLastsThoughTheEarlierOfTwoTimesLandsLast() {
        Grant before = bench.grant(hasty);
        Acquisition behind = bench.acquire(patient, Bench.waitingForever());
        bench.network.next(Call.REMOVAL, Fate.STALLED, 1);
        before.release();
        bench.acquire(patient, Bench.waitingForever());
        assertThat(expiresAt()).isAfter(in(LONG));
        bench.network.resume();
        Grant held = bench.granted(behind);
        assertThat(expiresAt())
                .as("set by the release")
                .isBefore(in(DAY.multipliedBy(2).plus(MINUTE)));

        for (int hours = 0; hours < 13; hours++) {
            bench.time.advance(Duration.ofHours(1));
            assertThat(expiresAt()).isAfterOrEqualTo(in(DAY));
        }

        assertThat(held.isValid()).isTrue();
        assertThat(expiresAt()).isAfter(in(LONG));
    }

    @Test
    void anAnswerThatShowsTooLittleTimeLeadsToOneWrite() {
        Grant held = bench.grant(patient);
        bench.acquire(hasty, Bench.waitingForever());
        setExpiry(in(DAY.minusSeconds(1)));
        bench.network.resetCounts();

        bench.time.advance(MINUTE);

        assertThat(bench.network.count(Call.EDIT)).isOne();
        assertThat(expiresAt()).isAfter(in(DAY.multipliedBy(2).minus(MINUTE)));
        assertThat(held.isValid()).isTrue();
    }

    @Test
    void nobodyWritesAnItemThatItDoesNotUse() {
        bench.release(bench.grant(hasty));
        setExpiry(in(MINUTE));
        bench.network.resetCounts();

        bench.await(hasty.inspect(Bench.KEY));
        bench.time.advance(MINUTE);

        assertThat(bench.network.writes()).isZero();
    }

    @Test
    void theItemOfAKeptEntryLastsADayLongerThanTheEntry() {
        Duration kept = Duration.ofDays(5);
        bench.granted(hasty.acquire(Specs.exclusive(Bench.KEY)
                        .waiting(MINUTE)
                        .holdAtLeast(kept)
                        .spec()))
                .release();
        bench.advanceMillis(1_000);

        hasty.shutdown();
        bench.advanceMillis(1_000);

        assertThat(keptUntil()).isAfter(in(kept.minus(MINUTE)));
        assertThat(expiresAt()).isAfterOrEqualTo(keptUntil().plus(DAY));
    }

    @Test
    void whoeverSeesThatAKeptEntrysItemGoesTooEarlyWritesItOnce() {
        Duration kept = Duration.ofDays(5);
        bench.granted(patient.acquire(Specs.exclusive(Bench.KEY)
                        .waiting(MINUTE)
                        .holdAtLeast(kept)
                        .spec()))
                .release();
        patient.shutdown();
        bench.advanceMillis(1_000);
        setExpiry(in(DAY.multipliedBy(2)));
        bench.network.resetCounts();

        bench.acquire(hasty, Bench.exclusive(Duration.ofSeconds(2)), 5_000);

        assertThat(expiresAt()).isAfterOrEqualTo(keptUntil().plus(DAY));
        assertThat(bench.network.count(Call.EDIT)).as("it comes, is told, goes").isLessThanOrEqualTo(3);
    }

    @Test
    void anEvictionOfAKeptEntryMakesTheItemGoNoEarlier() {
        bench.granted(patient.acquire(Specs.exclusive(Bench.KEY)
                        .waiting(MINUTE)
                        .holdAtLeast(Duration.ofHours(1))
                        .spec()))
                .release();
        patient.shutdown();
        bench.advanceMillis(1_000);
        Instant before = expiresAt();

        assertThat(bench.await(hasty.evict(Bench.KEY, bench.queue().get(0).id(), "")))
                .isTrue();

        assertThat(bench.queue()).isEmpty();
        assertThat(expiresAt()).isEqualTo(before);
    }

    private Instant keptUntil() {
        return ((Entry.Kept) bench.queue().get(0)).until();
    }

    private Instant expiresAt() {
        return Objects.requireNonNull(bench.table.lock(Bench.KEY).expiresAt());
    }

    private Instant in(Duration time) {
        return bench.time.now().plus(time);
    }

    /** Another process writes the item. */
    private void setExpiry(Instant expiresAt) {
        bench.table.edit(Bench.KEY, Edits.expiring(expiresAt, Edits.remove(Map.of())), bench.time.now());
    }
}
