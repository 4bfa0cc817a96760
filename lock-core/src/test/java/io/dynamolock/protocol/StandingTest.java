package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandingTest {

    private static final SessionId SESSION = SessionId.of(1);
    private static final boolean FRESH = true;
    private static final boolean MAYBE_OLD = false;

    private final Entry mine = new Entry(new BlockId(SESSION, 1), 2);
    private final Entry other = new Entry(new BlockId(SESSION, 2), 1);

    @Test
    void aBlockThatIsFirstHoldsTheLockHoweverOldTheItemIs() {
        LockItem item = new LockItem(103, List.of(mine, other));

        assertThat(Standing.of(mine.block(), item, 500, MAYBE_OLD)).isEqualTo(new Standing.Holds(102, mine.callers()));
        assertThat(Standing.of(mine.block(), item, 102, FRESH)).isEqualTo(new Standing.Holds(102, mine.callers()));
    }

    @Test
    void aBlockHoldsTheLockBesideOthersWithTheTicketsOfItsPlace() {
        Entry first = new Entry(new BlockId(SESSION, 3), Mode.SHARED, 1);
        Entry second = new Entry(new BlockId(SESSION, 4), Mode.SHARED, 2);
        Entry third = new Entry(new BlockId(SESSION, 5), Mode.SHARED, 1);
        LockItem item = new LockItem(106, List.of(first, second, mine, third));

        assertThat(Standing.of(second.block(), item, 500, MAYBE_OLD)).isEqualTo(new Standing.Holds(103, 2));
        assertThat(Standing.of(mine.block(), item, 500, MAYBE_OLD)).isEqualTo(new Standing.Waiting(2));
        assertThat(Standing.of(third.block(), item, 500, MAYBE_OLD)).isEqualTo(new Standing.Waiting(3));
    }

    @Test
    void aBlockBehindOthersWaits() {
        LockItem item = new LockItem(103, List.of(other, mine));

        assertThat(Standing.of(mine.block(), item, 103, MAYBE_OLD)).isEqualTo(new Standing.Waiting(1));
    }

    @Test
    void aBlockThatIsMissingFromAnItemOlderThanItsAskMayStandThere() {
        LockItem item = new LockItem(101, List.of(other));

        assertThat(Standing.of(mine.block(), item, 103, MAYBE_OLD)).isEqualTo(new Standing.Unknown());
    }

    @Test
    void aBlockThatIsMissingFromAnItemThatShowsItsTicketsIsGone() {
        LockItem item = new LockItem(103, List.of(other));

        assertThat(Standing.of(mine.block(), item, 103, MAYBE_OLD)).isEqualTo(new Standing.Gone());
    }

    @Test
    void aBlockThatIsMissingFromAFreshItemIsGoneThoughNumbersStartAnew() {
        assertThat(Standing.of(mine.block(), LockItem.ABSENT, 103, FRESH)).isEqualTo(new Standing.Gone());
        assertThat(Standing.of(mine.block(), LockItem.ABSENT, 103, MAYBE_OLD)).isEqualTo(new Standing.Unknown());
    }
}
