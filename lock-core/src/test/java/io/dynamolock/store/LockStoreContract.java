package io.dynamolock.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.WriteResult.Applied;
import io.dynamolock.store.WriteResult.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link LockStore} promises. Each test works on keys and sessions of its own. */
public abstract class LockStoreContract {

    protected static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456789Z");
    protected static final Instant LATER = NOW.plusSeconds(10);
    protected static final long BASE = 1_772_600_767_123_456L;
    protected static final Duration LEASE = Duration.ofSeconds(20);

    protected final LockKey key = new LockKey("customer:" + UUID.randomUUID(), "default");
    protected final Claimant alice = claimant("alice");
    protected final Claimant bob = claimant("bob");
    protected final Claimant carol = claimant("carol");
    private long beats;

    /** The store under test; always the same one, or several on the same table. */
    protected abstract LockStore store();

    // Try

    @Test
    void tryOnANewLockTakesItWithANumberThatStartsAtEpochMicroseconds() {
        assertThat(tryAcquire(alice, 1))
                .isEqualTo(new Applied(new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW))));
        assertThat(look(10).lock()).isEqualTo(new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW)));
    }

    @Test
    void tryTakesAsManyNumbersAsAsked() {
        assertThat(tryAcquire(alice, 3))
                .isEqualTo(new Applied(new LockState(BASE + 3, BASE + 3, new Holder(alice, NOW))));
        release(alice);

        assertThat(tryAcquire(bob, 2)).isEqualTo(new Applied(new LockState(BASE + 5, BASE + 5, new Holder(bob, NOW))));
    }

    @Test
    void tryOnAReleasedLockGoesOnWithTheNextNumberWhateverTheClockSays() {
        tryAcquire(alice, 1);
        release(alice);

        assertThat(await(store().tryAcquire(key, bob, 1, NOW.minusSeconds(1_000_000))))
                .isEqualTo(
                        new Applied(new LockState(BASE + 2, BASE + 2, new Holder(bob, NOW.minusSeconds(1_000_000)))));
    }

    @Test
    void tryIsRefusedWhileAnotherBlockHoldsTheLockAndTellsWhich() {
        tryAcquire(alice, 1);

        assertThat(tryAcquire(bob, 1))
                .isEqualTo(new Refused(new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW))));
        assertThat(look(10).lock()).isEqualTo(new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW)));
    }

    @Test
    void tryIsRefusedForAnotherBlockOfTheHoldersOwnSession() {
        tryAcquire(alice, 1);

        assertThat(tryAcquire(sameSession(alice), 1)).isInstanceOf(Refused.class);
    }

    @Test
    void tryIsRefusedWhileNumbersAreOutstanding() {
        takeNumbers(1);

        assertThat(tryAcquire(bob, 1)).isEqualTo(new Refused(new LockState(BASE + 1, 0, null)));
    }

    @Test
    void tryIsRefusedOnAnOpenLockThatWasHeldBefore() {
        tryAcquire(alice, 1);
        takeNumbers(1);
        release(alice);

        assertThat(tryAcquire(bob, 1)).isEqualTo(new Refused(new LockState(BASE + 2, BASE + 1, null)));
    }

    @Test
    void repeatedTryCountsAsAppliedAndTakesNoFurtherNumber() {
        tryAcquire(alice, 2);

        assertThat(await(store().tryAcquire(key, alice, 2, LATER)))
                .isEqualTo(new Applied(new LockState(BASE + 2, BASE + 2, new Holder(alice, NOW))));
    }

    @Test
    void repeatedTryStillCountsAsAppliedWhenOthersHaveTakenNumbersSince() {
        tryAcquire(alice, 1);
        takeNumbers(4);

        assertThat(tryAcquire(alice, 1))
                .isEqualTo(new Applied(new LockState(BASE + 5, BASE + 1, new Holder(alice, NOW))));
    }

    // Take numbers

    @Test
    void numbersOfANewLockStartAtEpochMicrosecondsAndGrantNothing() {
        assertThat(takeNumbers(3)).isEqualTo(new LockState(BASE + 3, 0, null));
        assertThat(takeNumbers(2)).isEqualTo(new LockState(BASE + 5, 0, null));
    }

    @Test
    void numbersRiseWhateverTheClockSays() {
        takeNumbers(1);

        assertThat(await(store().takeNumbers(key, 1, NOW.minusSeconds(1_000_000)))
                        .tail())
                .isEqualTo(BASE + 2);
        assertThat(await(store().takeNumbers(key, 1, NOW.plusSeconds(1_000_000)))
                        .tail())
                .isEqualTo(BASE + 3);
    }

    @Test
    void takingNumbersChangesNeitherHolderNorServing() {
        tryAcquire(alice, 1);

        assertThat(takeNumbers(7)).isEqualTo(new LockState(BASE + 8, BASE + 1, new Holder(alice, NOW)));
    }

    @Test
    void noNumberIsGivenTwice() {
        List<CompletionStage<LockState>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(store().takeNumbers(key, 3, NOW));
        }

        assertThat(answers.stream().map(answer -> await(answer).tail()))
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 20)
                        .mapToObj(i -> BASE + 3 * i)
                        .toList());
    }

    @Test
    void ofManyTriesAtOnceExactlyOneIsApplied() {
        List<CompletionStage<WriteResult>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(store().tryAcquire(key, claimant("rival " + i), 1, NOW));
        }

        assertThat(answers.stream().map(LockStoreContract::await).filter(Applied.class::isInstance))
                .hasSize(1);
    }

    // Enter, look, delete

    @Test
    void lookAtALockThatDoesNotExistShowsNothing() {
        assertThat(look(5)).isEqualTo(new QueueView(LockState.ABSENT, List.of(), true));
    }

    @Test
    void lookShowsTheLockAndItsRowsInTheOrderOfTheirNumbers() {
        tryAcquire(alice, 1);
        WaiterRow ten = row(10, 12, bob);
        WaiterRow nine = row(9, 9, carol);
        WaiterRow hundred = row(100, 100, sameSession(bob));
        enter(hundred, ten, nine);

        assertThat(look(5))
                .isEqualTo(new QueueView(
                        new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW)), List.of(nine, ten, hundred), true));
    }

    @Test
    void rowsAreSortedByNumberForAnyNumberOfDigits() {
        List<WaiterRow> rows = Stream.of(1L, 9L, 10L, 99L, 100L, BASE, BASE * 10, Long.MAX_VALUE)
                .map(number -> row(number, number, claimant("w" + number)))
                .toList();
        for (int i = rows.size() - 1; i >= 0; i--) {
            enter(rows.get(i));
        }

        assertThat(look(20).rows()).isEqualTo(rows);
    }

    @Test
    void lookAtRowsWithoutALockItemShowsTheRows() {
        enter(row(5, 6, alice));

        assertThat(look(5)).isEqualTo(new QueueView(LockState.ABSENT, List.of(row(5, 6, alice)), true));
    }

    @Test
    void lookShowsNoMoreRowsThanAskedAndSaysWhetherThereAreMore() {
        WaiterRow one = row(1, 1, alice);
        WaiterRow two = row(2, 2, bob);
        WaiterRow three = row(3, 3, carol);
        enter(one, two, three);

        assertThat(look(2)).isEqualTo(new QueueView(LockState.ABSENT, List.of(one, two), false));
        assertThat(look(3)).isEqualTo(new QueueView(LockState.ABSENT, List.of(one, two, three), true));

        LockState lock = takeNumbers(1);
        assertThat(look(1)).isEqualTo(new QueueView(lock, List.of(one), false));
        assertThat(look(2)).isEqualTo(new QueueView(lock, List.of(one, two), false));
        assertThat(look(3)).isEqualTo(new QueueView(lock, List.of(one, two, three), true));
        assertThat(look(4)).isEqualTo(new QueueView(lock, List.of(one, two, three), true));
    }

    @Test
    void enteringTwiceLeavesOneRow() {
        enter(row(1, 2, alice));
        enter(row(1, 2, alice));

        assertThat(look(5).rows()).containsExactly(row(1, 2, alice));
    }

    @Test
    void deletingARowRemovesIt() {
        enter(row(1, 2, alice), row(3, 3, bob));

        await(store().deleteRow(key, 1, alice.block()));

        assertThat(look(5).rows()).containsExactly(row(3, 3, bob));
    }

    @Test
    void deletingARowOfAnotherBlockDoesNothing() {
        enter(row(1, 2, alice));

        await(store().deleteRow(key, 1, bob.block()));

        assertThat(look(5).rows()).containsExactly(row(1, 2, alice));
    }

    @Test
    void deletingARowThatIsNotThereDoesNothing() {
        takeNumbers(1);

        await(store().deleteRow(key, 1, alice.block()));
        await(store().deleteRow(key, 1, alice.block()));

        assertThat(look(5).rows()).isEmpty();
    }

    @Test
    void lookKeepsUpWithAQueueOfManyRows() {
        LockState lock = takeNumbers(40);
        List<WaiterRow> rows = LongStream.rangeClosed(1, 40)
                .mapToObj(number -> row(number, number, claimant("w" + number)))
                .toList();
        rows.forEach(this::enter);

        assertThat(look(40)).isEqualTo(new QueueView(lock, rows, true));
        assertThat(look(25)).isEqualTo(new QueueView(lock, rows.subList(0, 25), false));
    }

    // Claim

    @Test
    void claimOfAnOpenLockGrantsIt() {
        long last = takeNumbers(3).tail();

        assertThat(claim(alice, last, null)).isEqualTo(new Applied(new LockState(last, last, new Holder(alice, NOW))));
        assertThat(look(1).lock()).isEqualTo(new LockState(last, last, new Holder(alice, NOW)));
    }

    @Test
    void claimLeavesLaterNumbersOutstanding() {
        takeNumbers(5);

        assertThat(claim(alice, BASE + 2, null))
                .isEqualTo(new Applied(new LockState(BASE + 5, BASE + 2, new Holder(alice, NOW))));
    }

    @Test
    void claimIsRefusedWhileTheLockIsHeld() {
        tryAcquire(alice, 1);
        long last = takeNumbers(1).tail();

        assertThat(claim(bob, last, null))
                .isEqualTo(new Refused(new LockState(last, BASE + 1, new Holder(alice, NOW))));
    }

    @Test
    void claimTakesTheLockFromTheDeadBlockItNames() {
        tryAcquire(alice, 1);
        long last = takeNumbers(1).tail();

        assertThat(claim(bob, last, alice.block()))
                .isEqualTo(new Applied(new LockState(last, last, new Holder(bob, NOW))));
    }

    @Test
    void claimIsRefusedWhenAnotherThanTheDeadBlockHoldsTheLock() {
        tryAcquire(alice, 1);
        long last = takeNumbers(1).tail();

        assertThat(claim(bob, last, carol.block()))
                .isEqualTo(new Refused(new LockState(last, BASE + 1, new Holder(alice, NOW))));
    }

    @Test
    void claimThatNamesADeadBlockIsAppliedWhenNobodyHoldsTheLock() {
        tryAcquire(alice, 1);
        long last = takeNumbers(1).tail();
        release(alice);

        assertThat(claim(bob, last, alice.block())).isInstanceOf(Applied.class);
    }

    @Test
    void claimIsRefusedWhenTheNumberHasBeenPassed() {
        takeNumbers(2);
        claim(bob, BASE + 2, null);
        release(bob);

        assertThat(claim(alice, BASE + 1, null)).isEqualTo(new Refused(new LockState(BASE + 2, BASE + 2, null)));
        assertThat(claim(alice, BASE + 2, null)).isEqualTo(new Refused(new LockState(BASE + 2, BASE + 2, null)));
    }

    @Test
    void claimFromADeadBlockIsRefusedWhenTheNumberHasBeenPassed() {
        takeNumbers(2);
        claim(bob, BASE + 2, null);

        assertThat(claim(alice, BASE + 1, bob.block()))
                .isEqualTo(new Refused(new LockState(BASE + 2, BASE + 2, new Holder(bob, NOW))));
    }

    @Test
    void claimOfALockThatDoesNotExistIsRefusedAndCreatesNothing() {
        assertThat(claim(alice, BASE + 1, null)).isEqualTo(new Refused(LockState.ABSENT));
        assertThat(claim(alice, BASE + 1, bob.block())).isEqualTo(new Refused(LockState.ABSENT));
        assertThat(look(1).lock()).isEqualTo(LockState.ABSENT);
    }

    @Test
    void repeatedClaimCountsAsApplied() {
        long last = takeNumbers(1).tail();
        claim(alice, last, null);

        assertThat(await(store().claim(key, alice, last, null, LATER)))
                .isEqualTo(new Applied(new LockState(last, last, new Holder(alice, NOW))));
    }

    @Test
    void claimThatLandsAfterTheBlocksReleaseIsRefused() {
        long last = takeNumbers(1).tail();
        claim(alice, last, null);
        release(alice);

        assertThat(claim(alice, last, null)).isEqualTo(new Refused(new LockState(last, last, null)));
    }

    // Hand over

    @Test
    void handOverPassesTheLockOnInOneWrite() {
        tryAcquire(alice, 1);
        long last = takeNumbers(2).tail();

        assertThat(handOver(alice, bob, last)).isEqualTo(new Applied(new LockState(last, last, new Holder(bob, NOW))));
        assertThat(look(1).lock()).isEqualTo(new LockState(last, last, new Holder(bob, NOW)));
    }

    @Test
    void handOverIsRefusedWhenAnotherBlockHoldsTheLock() {
        tryAcquire(alice, 1);
        long last = takeNumbers(1).tail();

        assertThat(handOver(carol, bob, last))
                .isEqualTo(new Refused(new LockState(last, BASE + 1, new Holder(alice, NOW))));
    }

    @Test
    void handOverIsRefusedWhenNobodyHoldsTheLock() {
        tryAcquire(alice, 1);
        long last = takeNumbers(1).tail();
        release(alice);

        assertThat(handOver(alice, bob, last)).isEqualTo(new Refused(new LockState(last, BASE + 1, null)));
    }

    @Test
    void handOverToANumberThatHasBeenPassedIsRefused() {
        tryAcquire(alice, 2);

        assertThat(handOver(alice, bob, BASE + 1))
                .isEqualTo(new Refused(new LockState(BASE + 2, BASE + 2, new Holder(alice, NOW))));
        assertThat(handOver(alice, bob, BASE + 2)).isInstanceOf(Refused.class);
    }

    @Test
    void handOverOfALockThatDoesNotExistIsRefusedAndCreatesNothing() {
        assertThat(handOver(alice, bob, BASE + 1)).isEqualTo(new Refused(LockState.ABSENT));
        assertThat(look(1).lock()).isEqualTo(LockState.ABSENT);
    }

    @Test
    void repeatedHandOverCountsAsApplied() {
        tryAcquire(alice, 1);
        long last = takeNumbers(1).tail();
        handOver(alice, bob, last);

        assertThat(await(store().handOver(key, alice.block(), bob, last, LATER)))
                .isEqualTo(new Applied(new LockState(last, last, new Holder(bob, NOW))));
    }

    @Test
    void handOverToFurtherTicketsOfTheSameBlockLeavesTheHolder() {
        tryAcquire(alice, 1);
        long last = takeNumbers(2).tail();

        assertThat(await(store().handOver(key, alice.block(), alice, last, LATER)))
                .isEqualTo(new Applied(new LockState(last, last, new Holder(alice, NOW))));
        assertThat(look(1).lock()).isEqualTo(new LockState(last, last, new Holder(alice, NOW)));
    }

    @Test
    void handOverToTheSameBlockThatLandsLateOrTwiceChangesNothing() {
        tryAcquire(alice, 1);
        long next = takeNumbers(1).tail();
        long last = takeNumbers(1).tail();
        handOver(alice, alice, last);

        LockState after = new LockState(last, last, new Holder(alice, NOW));
        assertThat(handOver(alice, alice, next)).isEqualTo(new Applied(after));
        assertThat(handOver(alice, alice, last)).isEqualTo(new Applied(after));
        assertThat(look(1).lock()).isEqualTo(after);
        release(alice);
        assertThat(handOver(alice, alice, last + 1)).isEqualTo(new Refused(new LockState(last, last, null)));
    }

    // Extend

    @Test
    void anExtensionTakesFurtherTicketsAndServesThem() {
        tryAcquire(alice, 1);

        LockState after = new LockState(BASE + 4, BASE + 4, new Holder(alice, NOW));
        assertThat(await(store().extend(key, alice.block(), 3, LATER))).isEqualTo(new Applied(after));
        assertThat(look(1).lock()).isEqualTo(after);
    }

    @Test
    void anExtensionIsRefusedWhenSomebodyHasATicketThatIsNotServed() {
        tryAcquire(alice, 1);
        takeNumbers(1);

        LockState before = new LockState(BASE + 2, BASE + 1, new Holder(alice, NOW));
        assertThat(extend(alice, 3)).isEqualTo(new Refused(before));
        assertThat(look(1).lock()).isEqualTo(before);
    }

    @Test
    void anExtensionIsRefusedWhenAnotherBlockHoldsTheLock() {
        tryAcquire(alice, 1);

        LockState before = new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW));
        assertThat(extend(bob, 1)).isEqualTo(new Refused(before));
        assertThat(look(1).lock()).isEqualTo(before);
    }

    @Test
    void anExtensionIsRefusedWhenNobodyHoldsTheLock() {
        tryAcquire(alice, 1);
        release(alice);

        LockState before = new LockState(BASE + 1, BASE + 1, null);
        assertThat(extend(alice, 1)).isEqualTo(new Refused(before));
        assertThat(look(1).lock()).isEqualTo(before);
    }

    @Test
    void anExtensionOfALockThatDoesNotExistIsRefusedAndCreatesNothing() {
        assertThat(extend(alice, 1)).isEqualTo(new Refused(LockState.ABSENT));
        assertThat(look(1).lock()).isEqualTo(LockState.ABSENT);
    }

    @Test
    void anExtensionThatLandsTwiceServesTicketsOfNobody() {
        tryAcquire(alice, 1);
        extend(alice, 2);

        assertThat(extend(alice, 2)).isEqualTo(new Applied(new LockState(BASE + 5, BASE + 5, new Holder(alice, NOW))));
    }

    // Rename

    @Test
    void renameGivesTheHolderANewIdAndLeavesAllElse() {
        tryAcquire(alice, 1);
        takeNumbers(1);
        Claimant rest = sameSession(alice);

        assertThat(await(store().rename(key, alice.block(), rest, LATER)))
                .isEqualTo(new Applied(new LockState(BASE + 2, BASE + 1, new Holder(rest, NOW))));
        assertThat(release(alice)).isInstanceOf(Refused.class);
        assertThat(release(rest)).isInstanceOf(Applied.class);
    }

    @Test
    void renameToTheSameIdChangesNothing() {
        tryAcquire(alice, 1);

        assertThat(await(store().rename(key, alice.block(), alice, LATER)))
                .isEqualTo(new Applied(new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW))));
    }

    @Test
    void renameIsRefusedWhenTheBlockDoesNotHoldTheLock() {
        Claimant rest = sameSession(alice);
        assertThat(await(store().rename(key, alice.block(), rest, NOW))).isEqualTo(new Refused(LockState.ABSENT));
        assertThat(look(1).lock()).isEqualTo(LockState.ABSENT);

        tryAcquire(bob, 1);
        assertThat(await(store().rename(key, alice.block(), rest, NOW)))
                .isEqualTo(new Refused(new LockState(BASE + 1, BASE + 1, new Holder(bob, NOW))));

        release(bob);
        assertThat(await(store().rename(key, alice.block(), rest, NOW)))
                .isEqualTo(new Refused(new LockState(BASE + 1, BASE + 1, null)));
    }

    @Test
    void repeatedRenameCountsAsApplied() {
        tryAcquire(alice, 1);
        Claimant rest = sameSession(alice);
        await(store().rename(key, alice.block(), rest, NOW));

        assertThat(await(store().rename(key, alice.block(), rest, LATER)))
                .isEqualTo(new Applied(new LockState(BASE + 1, BASE + 1, new Holder(rest, NOW))));
    }

    // Release

    @Test
    void releaseRemovesTheHolderAndKeepsTheNumbers() {
        tryAcquire(alice, 1);
        takeNumbers(1);

        assertThat(release(alice)).isEqualTo(new Applied(new LockState(BASE + 2, BASE + 1, null)));
        assertThat(look(1).lock()).isEqualTo(new LockState(BASE + 2, BASE + 1, null));
    }

    @Test
    void releaseIsRefusedWhenAnotherBlockHoldsTheLock() {
        tryAcquire(alice, 1);

        assertThat(release(bob)).isEqualTo(new Refused(new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW))));
        assertThat(release(sameSession(alice))).isInstanceOf(Refused.class);
        assertThat(look(1).lock().isHeldBy(alice.block())).isTrue();
    }

    @Test
    void repeatedReleaseIsRefused() {
        tryAcquire(alice, 1);
        release(alice);

        assertThat(release(alice)).isEqualTo(new Refused(new LockState(BASE + 1, BASE + 1, null)));
    }

    @Test
    void releaseOfALockThatDoesNotExistIsRefusedAndCreatesNothing() {
        assertThat(release(alice)).isEqualTo(new Refused(LockState.ABSENT));
        assertThat(look(1).lock()).isEqualTo(LockState.ABSENT);
    }

    // Keys

    @Test
    void namespacesOnOneKeyAreLocksOfTheirOwn() {
        List<LockKey> keys = Stream.of("a", "a0", "aa", "A", "a.", "")
                .map(namespace -> new LockKey(key.key(), namespace))
                .toList();
        for (LockKey each : keys) {
            Claimant claimant = claimant(each.namespace());
            assertThat(await(store().tryAcquire(each, claimant, 1, NOW))).isInstanceOf(Applied.class);
            await(store().enter(each, row(1, 1, claimant)));
        }

        for (LockKey each : keys) {
            QueueView view = await(store().look(each, 10));
            assertThat(view.lock().holder().owner()).isEqualTo(each.namespace());
            assertThat(view.rows()).extracting(row -> row.claimant().owner()).containsExactly(each.namespace());
        }
    }

    static Stream<LockKey> unusualKeys() {
        return Stream.of(
                new LockKey(" ", " "),
                new LockKey("session#" + UUID.randomUUID(), "session"),
                new LockKey("a/b|c\\d#e%f:g\"h'i{j}\n\t\u0000", "x|y\\z#%:\"'\n"),
                new LockKey("Grüße, 日本語, \uD83D\uDD12\uD83C\uDF08, שלום", "räum\uD83D\uDD11"),
                new LockKey("k".repeat(2048), "n".repeat(1024 - 39)),
                new LockKey("\uD83D\uDD12".repeat(512), "é".repeat(492)));
    }

    @ParameterizedTest
    @MethodSource("unusualKeys")
    void anyKeyThatFitsWorks(LockKey unusual) {
        await(store().createSession(alice.session(), LEASE, "alice", NOW));
        assertThat(await(store().tryAcquire(unusual, alice, 1, NOW))).isInstanceOf(Applied.class);
        await(store().enter(unusual, row(7, 7, bob)));
        Dispute dispute = new Dispute(unusual, alice.block());
        assertThat(await(store().dispute(alice.session(), dispute))).isEqualTo(DisputeResult.FILED);

        assertThat(await(store().look(unusual, 3)))
                .isEqualTo(new QueueView(
                        new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW)), List.of(row(7, 7, bob)), true));
        assertThat(await(store().beat(alice.session(), ++beats, Set.of(), NOW)))
                .isEqualTo(new BeatResult.Alive(Set.of(dispute)));
        assertThat(await(store().beat(alice.session(), ++beats, Set.of(dispute), NOW)))
                .isEqualTo(new BeatResult.Alive(Set.of()));

        await(store().deleteRow(unusual, 7, bob.block()));
        assertThat(await(store().release(unusual, alice.block(), NOW))).isInstanceOf(Applied.class);
    }

    @Test
    void anyOwnerWorks() {
        Claimant nameless = new Claimant(alice.session(), alice.block(), "");
        await(store().createSession(alice.session(), LEASE, "", NOW));
        enter(row(1, 1, nameless));

        assertThat(tryAcquire(nameless, 1).state().holder()).isEqualTo(new Holder(nameless, NOW));
        assertThat(look(1).rows()).containsExactly(row(1, 1, nameless));
        assertThat(readSession(alice))
                .hasValueSatisfying(session -> assertThat(session.owner()).isEmpty());
    }

    // Sessions

    @Test
    void aNewSessionShowsBeatZero() {
        await(store().createSession(alice.session(), LEASE, "alice on host", NOW));

        assertThat(readSession(alice)).contains(new SessionState(alice.session(), 0, LEASE, "alice on host", NOW));
    }

    @Test
    void aLeaseIsKeptToTheNanosecond() {
        Duration lease = Duration.ofNanos(1_234_567_890_123L);
        await(store().createSession(alice.session(), lease, "alice", NOW));

        assertThat(readSession(alice)).map(SessionState::lease).contains(lease);
    }

    @Test
    void aSessionThatWasNeverCreatedDoesNotExist() {
        assertThat(readSession(alice)).isEmpty();
    }

    @Test
    void creatingASessionAgainDoesNotSetItsBeatBack() {
        createSession(alice);
        beat(alice);

        createSession(alice);

        assertThat(readSession(alice)).map(SessionState::beat).contains(1L);
    }

    @Test
    void beatsAdvanceTheSession() {
        createSession(alice);

        assertThat(await(store().beat(alice.session(), ++beats, Set.of(), LATER)))
                .isEqualTo(new BeatResult.Alive(Set.of()));
        assertThat(readSession(alice)).contains(new SessionState(alice.session(), 1, LEASE, "alice", LATER));

        beat(alice);
        assertThat(readSession(alice)).map(SessionState::beat).contains(2L);
    }

    @Test
    void aBeatThatLandsLateOrTwiceIsAnsweredAndChangesNothing() {
        Dispute dispute = new Dispute(key, alice.block());
        createSession(alice);
        await(store().beat(alice.session(), 3, Set.of(), LATER));
        await(store().dispute(alice.session(), dispute));

        for (long beat = 1; beat <= 3; beat++) {
            assertThat(await(store().beat(alice.session(), beat, Set.of(dispute), NOW)))
                    .isEqualTo(new BeatResult.Alive(Set.of(dispute)));
        }

        assertThat(readSession(alice)).contains(new SessionState(alice.session(), 3, LEASE, "alice", LATER));
    }

    @Test
    void aBeatNeverBringsADeadSessionBack() {
        createSession(alice);
        await(store().endSession(alice.session()));

        assertThat(beat(alice)).isEqualTo(new BeatResult.Gone());
        assertThat(await(store().beat(alice.session(), ++beats, Set.of(new Dispute(key, alice.block())), NOW)))
                .isEqualTo(new BeatResult.Gone());
        assertThat(readSession(alice)).isEmpty();
    }

    @Test
    void endingASessionDeletesItWhateverItShows() {
        createSession(alice);
        beat(alice);

        await(store().endSession(alice.session()));
        await(store().endSession(alice.session()));

        assertThat(readSession(alice)).isEmpty();
    }

    @Test
    void buryingDeletesASessionThatStillShowsTheBeat() {
        createSession(alice);
        beat(alice);

        assertThat(await(store().bury(alice.session(), 1))).isEqualTo(BuryResult.DEAD);
        assertThat(readSession(alice)).isEmpty();
    }

    @Test
    void buryingASessionThatHasBeatenSinceChangesNothing() {
        createSession(alice);
        beat(alice);

        assertThat(await(store().bury(alice.session(), 0))).isEqualTo(BuryResult.ALIVE);
        assertThat(readSession(alice)).isPresent();
    }

    @Test
    void buryingASessionThatIsGoneFindsItDead() {
        assertThat(await(store().bury(alice.session(), 5))).isEqualTo(BuryResult.DEAD);

        createSession(bob);
        await(store().bury(bob.session(), 0));
        assertThat(await(store().bury(bob.session(), 0))).isEqualTo(BuryResult.DEAD);
    }

    @Test
    void sessionsAreIndependent() {
        createSession(alice);
        createSession(bob);

        await(store().endSession(alice.session()));

        assertThat(readSession(bob)).isPresent();
        assertThat(beat(bob)).isEqualTo(new BeatResult.Alive(Set.of()));
    }

    // Disputes

    @Test
    void aDisputeComesWithEveryBeatUntilItIsSettled() {
        createSession(alice);
        Dispute first = new Dispute(key, alice.block());
        Dispute second = new Dispute(new LockKey(key.key(), "other"), alice.block());

        assertThat(dispute(alice, first)).isEqualTo(DisputeResult.FILED);
        assertThat(dispute(alice, second)).isEqualTo(DisputeResult.FILED);

        assertThat(beat(alice)).isEqualTo(new BeatResult.Alive(Set.of(first, second)));
        assertThat(await(store().beat(alice.session(), ++beats, Set.of(first), NOW)))
                .isEqualTo(new BeatResult.Alive(Set.of(second)));
        assertThat(beat(alice)).isEqualTo(new BeatResult.Alive(Set.of(second)));
        assertThat(await(store().beat(alice.session(), ++beats, Set.of(first, second), NOW)))
                .isEqualTo(new BeatResult.Alive(Set.of()));
    }

    @Test
    void disputesThatLookAlikeAreKeptApart() {
        createSession(alice);
        Set<Dispute> disputes = Set.of(
                new Dispute(new LockKey("a|b", "c"), alice.block()),
                new Dispute(new LockKey("a", "b|c"), alice.block()),
                new Dispute(new LockKey("b/a", "c"), alice.block()),
                new Dispute(new LockKey("a\\", "|b|c"), alice.block()),
                new Dispute(new LockKey("a", "c"), bob.block()));

        disputes.forEach(dispute -> dispute(alice, dispute));

        assertThat(beat(alice)).isEqualTo(new BeatResult.Alive(disputes));
    }

    @Test
    void settlingADisputeThatWasNeverFiledDoesNothing() {
        createSession(alice);
        Dispute filed = new Dispute(key, alice.block());
        dispute(alice, filed);

        assertThat(await(store().beat(alice.session(), ++beats, Set.of(new Dispute(key, bob.block())), NOW)))
                .isEqualTo(new BeatResult.Alive(Set.of(filed)));
    }

    @Test
    void aDisputeDoesNotTouchTheBeat() {
        createSession(alice);
        dispute(alice, new Dispute(key, alice.block()));

        assertThat(readSession(alice)).contains(new SessionState(alice.session(), 0, LEASE, "alice", NOW));
        assertThat(await(store().bury(alice.session(), 0))).isEqualTo(BuryResult.DEAD);
    }

    @Test
    void aSessionCarriesNoMoreThanTwentyDisputes() {
        createSession(alice);
        List<Dispute> disputes = Stream.generate(() -> new Dispute(key, new BlockId(UUID.randomUUID())))
                .limit(20)
                .toList();
        disputes.forEach(dispute -> assertThat(dispute(alice, dispute)).isEqualTo(DisputeResult.FILED));
        Dispute oneTooMany = new Dispute(key, alice.block());

        assertThat(dispute(alice, oneTooMany)).isEqualTo(DisputeResult.FULL);
        assertThat(dispute(alice, disputes.get(7))).isEqualTo(DisputeResult.FILED);
        assertThat(beat(alice)).isEqualTo(new BeatResult.Alive(Set.copyOf(disputes)));

        await(store().beat(alice.session(), ++beats, Set.of(disputes.get(0)), NOW));
        assertThat(dispute(alice, oneTooMany)).isEqualTo(DisputeResult.FILED);
    }

    @Test
    void aDisputeNeverBringsADeadSessionBack() {
        createSession(alice);
        await(store().endSession(alice.session()));

        assertThat(dispute(alice, new Dispute(key, alice.block()))).isEqualTo(DisputeResult.GONE);
        assertThat(readSession(alice)).isEmpty();
    }

    // Helpers

    protected static Claimant claimant(String owner) {
        return new Claimant(new SessionId(UUID.randomUUID()), new BlockId(UUID.randomUUID()), owner);
    }

    protected static Claimant sameSession(Claimant claimant) {
        return new Claimant(claimant.session(), new BlockId(UUID.randomUUID()), claimant.owner());
    }

    protected static WaiterRow row(long first, long last, Claimant claimant) {
        return new WaiterRow(first, last, claimant, NOW);
    }

    protected static <T> T await(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    private WriteResult tryAcquire(Claimant claimant, int count) {
        return await(store().tryAcquire(key, claimant, count, NOW));
    }

    private LockState takeNumbers(int count) {
        return await(store().takeNumbers(key, count, NOW));
    }

    private void enter(WaiterRow... rows) {
        for (WaiterRow row : rows) {
            await(store().enter(key, row));
        }
    }

    private QueueView look(int limit) {
        return await(store().look(key, limit));
    }

    private WriteResult claim(Claimant claimant, long last, BlockId dead) {
        return await(store().claim(key, claimant, last, dead, NOW));
    }

    private WriteResult extend(Claimant holder, int count) {
        return await(store().extend(key, holder.block(), count, NOW));
    }

    private WriteResult handOver(Claimant from, Claimant to, long last) {
        return await(store().handOver(key, from.block(), to, last, NOW));
    }

    private WriteResult release(Claimant claimant) {
        return await(store().release(key, claimant.block(), NOW));
    }

    private void createSession(Claimant claimant) {
        await(store().createSession(claimant.session(), LEASE, claimant.owner(), NOW));
    }

    private BeatResult beat(Claimant claimant) {
        return await(store().beat(claimant.session(), ++beats, Set.of(), NOW));
    }

    private Optional<SessionState> readSession(Claimant claimant) {
        return await(store().readSession(claimant.session()));
    }

    private DisputeResult dispute(Claimant holder, Dispute dispute) {
        return await(store().dispute(holder.session(), dispute));
    }
}
