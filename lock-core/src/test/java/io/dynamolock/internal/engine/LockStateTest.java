package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Orders of answers that no simulation has come upon. */
class LockStateTest {

    private static final EngineSettings SETTINGS = TestSettings.of(Bench.LEASE);

    private final LockState state = new LockState(
            Bench.KEY,
            SETTINGS,
            SeenBefore.nothing(at(0)),
            new Peers(SETTINGS),
            () -> 1_000,
            () -> Instant.EPOCH,
            at(0));

    @Test
    void anOlderConsistentAnswerMovesNothingBackwards() {
        happens(0, new Event.SessionBegan(SessionId.of(1), new EntryNumbers()));
        SentEdit append = edit(happens(2, new Event.Arrived(new WaitingCaller(Bench.exclusive(), 1, at(2)))));
        LockItem item = append.edit().on(LockItem.ABSENT).item();
        assertThat(happens(8, new Event.Edited(append, new Answer<>(item, true))))
                .anyMatch(Effect.Granted.class::isInstance);

        List<Effect> effects =
                happens(9, new Event.Read(new SentRead(true, at(7)), new Found<>(LockItem.ABSENT, null)));

        assertThat(effects).isEmpty();
    }

    /** Otherwise a caller would be refused a lock that nobody holds or waits for. */
    @Test
    void aTryIsNotRefusedBecauseOfAnOwnEntryThatIsBeingRemoved() {
        happens(0, new Event.SessionBegan(SessionId.of(1), new EntryNumbers()));
        WaitingCaller waiter = new WaitingCaller(Bench.exclusive(), 1, at(2));
        SentEdit append = edit(happens(2, new Event.Arrived(waiter)));
        Entry ahead = new Entry.OfSession(SessionId.of(2), 1, Mode.EXCLUSIVE, 1);
        LockItem behind = append.edit()
                .on(new LockItem(1_000, List.of(ahead), 0, LockData.EMPTY))
                .item();
        happens(8, new Event.Edited(append, new Answer<>(behind, true)));
        happens(10, new Event.Abandoned(waiter));
        SentEdit removal = edit(happens(20, new Event.Woke()));

        happens(
                21,
                new Event.Arrived(new WaitingCaller(
                        Specs.exclusive(Bench.KEY).notWaiting().spec(), 2, at(19))));
        LockItem free = new LockItem(1_002, List.of(behind.queue().get(1)), 0, LockData.EMPTY);
        assertThat(removal.edit().on(free).isApplied()).isFalse();
        SentEdit again = edit(happens(26, new Event.Edited(removal, new Answer<>(free, false))));
        LockItem empty = again.edit().on(free).item();
        SentEdit appendOfTry = edit(happens(32, new Event.Edited(again, new Answer<>(empty, true))));
        LockItem taken = appendOfTry.edit().on(empty).item();

        assertThat(happens(38, new Event.Edited(appendOfTry, new Answer<>(taken, true))))
                .anyMatch(Effect.Granted.class::isInstance);
    }

    /** Data that is left a second time could undo what the next holder has written since. */
    @Test
    void dataIsLeftOnceThoughANetworkDeliversTheAppendTwice() {
        happens(0, new Event.SessionBegan(SessionId.of(1), new EntryNumbers()));
        SentEdit append = edit(happens(2, new Event.Arrived(new WaitingCaller(Bench.exclusive(), 1, at(2)))));
        LockItem held = append.edit().on(LockItem.ABSENT).item();
        Hold hold = happens(8, new Event.Edited(append, new Answer<>(held, true))).stream()
                .filter(Effect.Granted.class::isInstance)
                .map(effect -> ((Effect.Granted) effect).hold())
                .findFirst()
                .orElseThrow();
        LockItem twice = append.edit().on(held).item();

        SentEdit removal =
                edit(happens(20, new Event.Released(hold, LockData.of("left"), false, ReleaseTerms.AWAITED)));
        assertThat(removal.edit().data()).isEqualTo(LockData.of("left"));
        SentEdit removalOfCopy = edit(happens(
                26,
                new Event.Edited(removal, new Answer<>(removal.edit().on(twice).item(), true))));

        assertThat(removalOfCopy.edit().removed()).hasSize(1);
        assertThat(removalOfCopy.edit().data()).isNull();
    }

    private static SentEdit edit(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.SendEdit.class::isInstance)
                .map(effect -> ((Effect.SendEdit) effect).call())
                .findFirst()
                .orElseThrow();
    }

    private static Moment at(long millis) {
        return new Moment(Duration.ofMillis(millis).toNanos());
    }

    private List<Effect> happens(long millis, Event event) {
        return state.on(List.of(event), new Now(at(millis), Instant.EPOCH.plusMillis(millis), true));
    }
}
