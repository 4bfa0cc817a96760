package io.dynamolock.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LockItemTest {

    @Test
    void holdersAndTicketsAreWhatCountingEntryByEntrySays() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 3_000; i++) {
            List<Entry> queue = queue(random);
            int permits = random.nextInt(4);
            LockItem item = new LockItem(1_000, queue, permits, LockData.EMPTY);

            assertThat(item.holders()).as("%s", item).isEqualTo(holders(queue, permits));
            for (int place = 0; place < queue.size(); place++) {
                assertThat(item.slotsBefore(place)).isEqualTo(slots(queue.subList(0, place)));
                assertThat(item.lastTicket(place)).isEqualTo(1_000 - slots(queue.subList(place + 1, queue.size())));
            }
            assertThat(item.queue()).isEqualTo(queue).hasSameHashCodeAs(queue);
            assertThat(item).isEqualTo(new LockItem(1_000, List.copyOf(queue), permits, LockData.EMPTY));
        }
    }

    /** Mostly entries that are compatible with the first. */
    private static List<Entry> queue(SplittableRandom random) {
        List<Entry> queue = new ArrayList<>();
        Mode usual = Mode.values()[random.nextInt(Mode.values().length)];
        for (int number = random.nextInt(6); number > 0; number--) {
            Mode mode = random.nextInt(5) > 0 ? usual : Mode.EXCLUSIVE;
            SessionId session = SessionId.of(random.nextInt(4) / 3);
            queue.add(new Entry.OfSession(session, number, mode, 1 + random.nextInt(3)));
        }
        return queue;
    }

    private static int holders(List<Entry> queue, int permits) {
        int holders = 0;
        for (Entry entry : queue) {
            boolean isRoom = queue.get(0).mode() != Mode.PERMIT || holders < Math.max(1, permits);
            if (holders > 0 && !(isRoom && entry.isCompatibleWith(queue.get(0)))) {
                break;
            }
            holders++;
        }
        return holders;
    }

    private static int slots(List<Entry> entries) {
        return entries.stream().mapToInt(Entry::slots).sum();
    }
}
