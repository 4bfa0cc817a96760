package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownItemTest {

    private static final Entry FIRST = entry(1);
    private static final Entry SECOND = entry(2);
    private static final LockItem OLDER = item(10, FIRST, SECOND);
    private static final LockItem NEWER = item(11, SECOND);

    private final KnownItem known = new KnownItem(KnownItem.Front.nothing(at(0)), at(0));

    @Test
    void theStateWithTheGreaterTailIsTheNewerOneHoweverLateTheOtherComes() {
        assertThat(known.show(NEWER, false, at(1), null, at(5))).isTrue();

        assertThat(known.show(OLDER, true, at(2), null, at(9))).isFalse();

        assertThat(known.item()).isEqualTo(NEWER);
        assertThat(known.isDoubtful()).as("the next read clears that up").isTrue();
    }

    @Test
    void aStateThatWasReadAfterTheNewestHadArrivedCountsThoughItsTailIsSmaller() {
        known.show(NEWER, true, at(1), null, at(5));

        assertThat(known.show(LockItem.ABSENT, false, at(6), null, at(9)))
                .as("an inconsistent answer may be old")
                .isFalse();
        assertThat(known.show(LockItem.ABSENT, true, at(5), null, at(10)))
                .as("somebody has removed the item")
                .isTrue();
        assertThat(known.item().exists()).isFalse();
        assertThat(known.isDoubtful()).isFalse();
    }

    @Test
    void anAnswerFromBeforeTheRemovalOfTheItemCountsNoMore() {
        known.show(NEWER, true, at(1), null, at(5));
        known.show(LockItem.ABSENT, true, at(6), null, at(9));

        assertThat(known.show(NEWER, false, at(2), null, at(12))).isFalse();
        assertThat(known.show(item(12, FIRST), false, at(7), null, at(13)))
                .as("made again")
                .isTrue();
    }

    @Test
    void theFrontIsUnchangedAsLongAsTheSameEntryIsFirst() {
        known.show(OLDER, true, at(1), null, at(5));
        known.show(item(12, FIRST), true, at(10), null, at(15));
        assertThat(known.frontUnchangedFor(at(25))).isEqualTo(Duration.ofMillis(20));
        assertThat(known.frontUnchangedAtLatestAnswer()).isEqualTo(Duration.ofMillis(5));

        known.show(item(13, SECOND), true, at(26), null, at(30));

        assertThat(known.frontUnchangedFor(at(31))).isEqualTo(Duration.ofMillis(1));
        assertThat(known.timePerEntry()).isEqualTo(Duration.ofMillis(25));
    }

    @Test
    void theTimeOfChangeIsThatOfTheLastCallThatShowedAChange() {
        known.show(OLDER, true, at(1), null, at(5));
        known.show(OLDER, true, at(6), null, at(9));

        assertThat(known.changedAt()).isEqualTo(at(1));
        assertThat(known.latestAnswerSentAt()).isEqualTo(at(6));
    }

    @Test
    void aSuspectedOrphanIsLookedForUntilAConsistentAnswerComes() {
        known.suspectOrphan();
        known.show(OLDER, false, at(1), null, at(5));
        assertThat(known.isOrphanSuspected()).isTrue();

        known.show(NEWER, true, at(6), null, at(9));

        assertThat(known.isOrphanSuspected()).isFalse();
        assertThat(known.isDoubtful()).isFalse();
    }

    private static LockItem item(long tail, Entry... queue) {
        return new LockItem(tail, List.of(queue), 0, LockData.EMPTY);
    }

    private static Entry entry(long session) {
        return new Entry.OfSession(SessionId.of(session), 1, Mode.EXCLUSIVE, 1);
    }

    private static Moment at(long millis) {
        return new Moment(0).plus(Duration.ofMillis(millis));
    }
}
