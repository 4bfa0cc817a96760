package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.SessionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fencing tokens rise, whatever becomes of the calls: steps are lost, land late, land again, and are sent with an item
 * in mind that is out of date. Nobody hears an answer; a block's process just sees the item now and then, perhaps an
 * older one, and reads its tickets off the one that shows it first.
 */
class TicketsTest {

    private static final int STEPS = 300;
    private static final int MOST = 6;

    @ParameterizedTest
    @MethodSource("seeds")
    void eachGrantHasAGreaterNumberThanEveryGrantBefore(long seed) {
        History history = new History(new Random(seed));
        for (int i = 0; i < STEPS; i++) {
            history.sendOne();
            history.grantSome();
        }
        assertThat(history.grants).as("grants: few of them would prove little").isGreaterThan(5);
    }

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    private static final class History {

        private final Random random;
        private final List<Step> sent = new ArrayList<>();
        /** The item after each step. */
        private final List<LockItem> items = new ArrayList<>(List.of(LockItem.ABSENT));

        /**
         * Blocks that grant nothing any more: their rest is being renamed, or they were taken out, by their own process
         * or because it is dead. An old ask may still bring them back into the queue.
         */
        private final Set<BlockId> done = new HashSet<>();

        private final Deque<Long> tickets = new ArrayDeque<>();
        private @Nullable Entry holder;
        private long lastGranted;
        private int grants;
        private long blocks;

        History(Random random) {
            this.random = random;
        }

        void sendOne() {
            Step step = next(anItem());
            sent.add(step);
            boolean isLost = random.nextInt(5) == 0;
            if (!isLost) {
                Answer<LockItem> answer = step.on(item());
                items.add(answer.item());
                if (answer.isApplied() && step instanceof Step.Leave leave) {
                    leave.entries().values().forEach(left -> done.add(left.block()));
                }
            }
        }

        private Step next(LockItem known) {
            int choice = random.nextInt(12);
            if (choice < 4 || known.queue().isEmpty()) {
                return new Step.Ask(newEntry(1 + random.nextInt(4)), 1_000, MOST);
            }
            if (choice < 6) {
                int last = known.queue().size() - 1;
                return new Step.Grow(last, known.queue().get(last), 1 + random.nextInt(3));
            }
            if (choice < 9) {
                return leave(known);
            }
            return choice == 9 && mayRename() ? rename() : sent.get(Math.max(0, sent.size() - 1 - random.nextInt(30)));
        }

        private Step leave(LockItem known) {
            NavigableMap<Integer, Entry> entries = new TreeMap<>();
            do {
                int index = random.nextInt(known.queue().size());
                entries.put(index, known.queue().get(index));
            } while (random.nextInt(3) == 0);
            return new Step.Leave(entries);
        }

        private boolean mayRename() {
            return holder != null && !tickets.isEmpty() && tickets.size() < holder.callers();
        }

        /** For the callers who have no grant yet; the old block grants nothing from now on. */
        private Step rename() {
            Entry from = Objects.requireNonNull(holder);
            done.add(from.block());
            return new Step.Rename(from, newEntry(tickets.size()));
        }

        void grantSome() {
            Entry first = item().first();
            if (holder != null && (first == null || !first.block().equals(holder.block()))) {
                holder = null;
                tickets.clear();
            }
            LockItem seen = anItem();
            if (first == null || seen.first() == null || !seen.first().block().equals(first.block())) {
                return;
            }
            if (done.contains(first.block())) {
                return;
            }
            noteTickets(seen, seen.first());
            while (!tickets.isEmpty() && random.nextBoolean()) {
                long ticket = tickets.remove();
                assertThat(ticket).as("the ticket of %s in %s", holder, seen).isGreaterThan(lastGranted);
                lastGranted = ticket;
                grants++;
            }
        }

        /** Those of the callers who are new in this item. */
        private void noteTickets(LockItem seen, Entry first) {
            int known = holder == null ? 0 : holder.callers();
            long last = seen.lastTicket(0);
            for (long ticket = last - (first.callers() - known) + 1; ticket <= last; ticket++) {
                tickets.add(ticket);
            }
            holder = first.callers() > known ? first : holder;
        }

        private LockItem item() {
            return items.get(items.size() - 1);
        }

        /** As it is, or as it was some steps ago. */
        private LockItem anItem() {
            return items.get(Math.max(0, items.size() - 1 - random.nextInt(5)));
        }

        private Entry newEntry(int callers) {
            blocks++;
            return new Entry(new BlockId(SessionId.of(1), blocks), callers);
        }
    }
}
