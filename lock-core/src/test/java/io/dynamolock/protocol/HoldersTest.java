package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.internal.protocol.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which blocks hold a lock together. */
class HoldersTest {

    private static final SessionId SESSION = SessionId.of(1);
    private static final Mode UNKNOWN = new Mode('!');

    private long blocks;

    @Test
    void anExclusiveBlockHoldsTheLockAloneAndOnlyFirst() {
        assertThat(holders(0, Mode.EXCLUSIVE, Mode.EXCLUSIVE)).isOne();
        assertThat(holders(0, Mode.EXCLUSIVE, Mode.SHARED)).isOne();
        assertThat(holders(2, Mode.EXCLUSIVE, Mode.PERMIT)).isOne();
        assertThat(holders(0)).isZero();
    }

    @Test
    void sharedBlocksHoldTheLockTogetherUpToTheFirstOther() {
        assertThat(holders(0, Mode.SHARED, Mode.SHARED, Mode.EXCLUSIVE, Mode.SHARED))
                .isEqualTo(2);
        assertThat(holders(9, Mode.SHARED, Mode.PERMIT, Mode.SHARED)).isOne();
    }

    @Test
    void asManyBlocksHoldPermitsAsThereAreUpToTheFirstOther() {
        assertThat(holders(2, Mode.PERMIT, Mode.PERMIT, Mode.PERMIT)).isEqualTo(2);
        assertThat(holders(3, Mode.PERMIT, Mode.PERMIT, Mode.EXCLUSIVE, Mode.PERMIT))
                .isEqualTo(2);
        assertThat(holders(9, Mode.PERMIT, Mode.SHARED, Mode.PERMIT)).isOne();
    }

    @Test
    void aModeThatIsNotKnownCountsAsExclusive() {
        assertThat(holders(9, UNKNOWN, UNKNOWN)).isOne();
        assertThat(holders(9, Mode.SHARED, UNKNOWN, Mode.SHARED)).isOne();
        assertThat(holders(9, Mode.PERMIT, UNKNOWN, Mode.PERMIT)).isOne();
    }

    @Test
    void anEntryOfAModeThatIsNotKnownIsReadAndWrittenAsItIs() {
        Entry entry = Entry.parse("__________7!3");

        assertThat(entry.mode()).isEqualTo(UNKNOWN);
        assertThat(entry.callers()).isEqualTo(3);
        assertThat(entry).hasToString("__________7!3");
        assertThat(Entry.parse("__________7=3").mode()).isEqualTo(Mode.SHARED);
        assertThat(Entry.parse("__________7+1").mode()).isEqualTo(Mode.PERMIT);
        assertThatIllegalArgumentException().isThrownBy(() -> new Mode('7'));
        assertThatIllegalArgumentException().isThrownBy(() -> new Mode(' '));
        assertThatIllegalArgumentException().isThrownBy(() -> new Mode('é'));
    }

    /** So an answer that shows a block holding is a grant, however old it is. */
    @Test
    void aBlockThatHoldsTheLockHoldsItUntilItIsTakenOutWhateverElseHappens() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int permits = 1 + random.nextInt(3);
            LockItem item = LockItem.ABSENT;
            Set<BlockId> holding = new HashSet<>();
            for (int i = 0; i < 60; i++) {
                item = randomStep(random, permits, item).on(item).item();
                for (int place = 0; place < item.queue().size(); place++) {
                    BlockId block = item.queue().get(place).block();
                    boolean held = holding.contains(block);
                    assertThat(item.holds(place) || !held)
                            .as("seed %s: %s in %s", seed, block, item)
                            .isTrue();
                    if (item.holds(place)) {
                        holding.add(block);
                    }
                }
                assertHoldersMayStandTogether(seed, permits, item);
            }
        }
    }

    private static void assertHoldersMayStandTogether(long seed, int permits, LockItem item) {
        List<Mode> modes = item.queue().subList(0, item.holders()).stream()
                .map(Entry::mode)
                .toList();
        boolean fits = modes.size() <= 1
                || modes.stream().allMatch(Mode.SHARED::equals)
                || modes.stream().allMatch(Mode.PERMIT::equals) && modes.size() <= permits;
        assertThat(fits).as("seed %s: %s", seed, item).isTrue();
    }

    private Step randomStep(Random random, int permits, LockItem item) {
        int size = item.queue().size();
        if (size > 0 && random.nextInt(5) < 2) {
            int place = random.nextInt(size);
            return Step.Leave.of(place, item.queue().get(place));
        }
        if (size > 0 && item.queue().get(0).mode().equals(Mode.EXCLUSIVE) && random.nextInt(3) == 0) {
            Entry first = item.queue().get(0);
            return new Step.Rename(first, new Entry(new BlockId(SESSION, ++blocks), Mode.SHARED, 1));
        }
        Mode mode = List.of(Mode.EXCLUSIVE, Mode.SHARED, Mode.SHARED, Mode.PERMIT, Mode.PERMIT)
                .get(random.nextInt(5));
        return new Step.Ask(entry(mode), 1, 12, mode.equals(Mode.PERMIT) ? permits : 0);
    }

    private int holders(int permits, Mode... modes) {
        List<Entry> queue = new ArrayList<>();
        for (Mode mode : modes) {
            queue.add(entry(mode));
        }
        return new LockItem(100, queue, permits).holders();
    }

    private Entry entry(Mode mode) {
        return new Entry(new BlockId(SESSION, ++blocks), mode, 1);
    }
}
