package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OwnEntriesTest {

    private static final SessionId SESSION = SessionId.of(1);
    private static final Moment NOW = new Moment(0);

    private final OwnEntries own = new OwnEntries();
    private final Holds holds = new Holds();

    OwnEntriesTest() {
        own.sessionBegan(SESSION, new EntryNumbers());
    }

    @Test
    void anEntryIsKnownFromItsAppendButCountsOnlyOnceAnItemHasShownIt() {
        OwnEntry entry = append();
        assertThat(own.all()).containsExactly(entry);
        assertThat(own.shown()).isEmpty();

        entry.shown(entry.entry());

        assertThat(own.shown()).containsExactly(Map.entry(entry.entry(), entry));
    }

    @Test
    void anAppendThatNeverLandsLeavesNothing() {
        OwnEntry entry = new OwnEntry(entry(1), NOW, 0, false);
        SentEdit call = edit(null, Map.of(), List.of(entry));
        own.sent(call, holds);

        own.neverLands(call);

        assertThat(own.isEmpty()).isTrue();
    }

    @Test
    void anAppendWithoutAnAnswerIsForgottenOnceItCanNoLongerLand() {
        OwnEntry entry = append();
        assertThat(own.nextAppendSettled()).isEqualTo(Deadline.NEVER);

        Moment landed = NOW.plus(Duration.ofSeconds(4));
        entry.appendEnded(landed);

        assertThat(own.nextAppendSettled()).isEqualTo(Deadline.at(landed));
        assertThat(own.isAnyAppendSettled(NOW)).isFalse();
        assertThat(own.isAnyAppendSettled(landed)).isTrue();
        own.forgetSettledAppends(landed);
        assertThat(own.isEmpty()).isTrue();
    }

    @Test
    void anEntryIsFoundByEachNumberThatWasSentForIt() {
        OwnEntry entry = append();
        entry.shown(entry.entry());
        own.sent(edit(new Edit.Reissue(0, entry.entry(), entry(7)), Map.of(), List.of()), holds);

        assertThat(own.withNumber(1)).isSameAs(entry);
        assertThat(own.withNumber(7)).isSameAs(entry);
        assertThat(own.withNumber(8)).isNull();
    }

    @Test
    void anEntryThatIsBeingRemovedServesNobodyUntilTheRemovalIsRefused() {
        OwnEntry entry = append();
        entry.shown(entry.entry());
        SentEdit removal = edit(null, Map.of(0, entry.entry()), List.of());

        own.sent(removal, holds);
        assertThat(own.takenOutBy(removal)).containsExactly(entry);
        assertThat(entry.slotsLeft()).isZero();
        assertThat(entry.mayHaveBeenTakenOut()).isTrue();

        own.neverLands(removal);
        assertThat(entry.mayHaveBeenTakenOut()).isFalse();
    }

    @Test
    void withoutASessionThereAreNoEntriesAndNoneIsOwn() {
        append();

        own.sessionOver();

        assertThat(own.isEmpty()).isTrue();
        assertThat(own.isOwn(entry(1))).isFalse();
        LockItem item = new LockItem(1, List.of(entry(1)), 0, LockData.EMPTY);
        assertThat(own.firstIn(item, 0)).as("behind all").isEqualTo(1);
    }

    private OwnEntry append() {
        OwnEntry entry = new OwnEntry(entry(1), NOW, 0, false);
        own.sent(edit(null, Map.of(), List.of(entry)), holds);
        return entry;
    }

    private static SentEdit edit(Edit.@Nullable Reissue reissue, Map<Integer, Entry> removed, List<OwnEntry> appended) {
        List<Entry> entries = appended.stream().<Entry>map(OwnEntry::entry).toList();
        return new SentEdit(
                new Edit(new TreeMap<>(removed), reissue, entries, 200, 0, false, null, 0, 0), appended, NOW);
    }

    private static Entry.OfSession entry(long number) {
        return new Entry.OfSession(SESSION, number, Mode.EXCLUSIVE, 1);
    }
}
