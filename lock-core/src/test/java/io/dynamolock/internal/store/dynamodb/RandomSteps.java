package io.dynamolock.store.dynamodb;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Mode;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Steps that fit an item, nearly fit it, or do not fit it at all. */
final class RandomSteps {

    private static final Instant BEGINNING = Instant.parse("2026-03-04T05:06:07.123456789Z");
    private static final List<String> ODD_KEYS =
            List.of("customer:4711", "a/b", "a|b", "|/|", "1|default/a", "Straße 東京 😀", "x".repeat(2_000), " ", "/");

    private static final List<Mode> MODES =
            List.of(Mode.EXCLUSIVE, Mode.EXCLUSIVE, Mode.SHARED, Mode.PERMIT, new Mode('!'));

    private final Random random;

    RandomSteps(Random random) {
        this.random = random;
    }

    Instant time() {
        return BEGINNING.plusNanos(random.nextLong(1_000_000_000_000L));
    }

    String oddKey() {
        return oneOf(ODD_KEYS);
    }

    Step step(LockItem item) {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> ask(item);
            case 10, 11 -> new Step.Put(entryAt(item, 0), Math.max(0, item.puts() - random.nextInt(3) / 2), data());
            case 3 -> Step.Ask.ifFree(exclusiveEntry(), time().getEpochSecond() * 1_000_000);
            case 4, 5 -> grow(item);
            case 6, 7, 8 -> leave(item);
            default -> renameOrResize(item);
        };
    }

    SessionStep step(SessionId id, Optional<SessionItem> item, boolean raises) {
        long beat = item.map(SessionItem::beat).orElse(0L);
        if (item.isEmpty() && random.nextBoolean()) {
            Duration lease = Duration.ofMillis(500 + random.nextInt(100_000));
            String owner = oddKey();
            owner = owner.substring(0, Math.min(owner.length(), 256));
            return new SessionStep.Begin(lease, owner, time(), random.nextInt(3) == 0 ? time() : null);
        }
        int choice = random.nextInt(20);
        if (raises && choice > 1 || choice > 14) {
            return random.nextBoolean() ? new SessionStep.Raise(dispute(id)) : new SessionStep.Evict(eviction(id));
        }
        return switch (choice) {
            case 0 -> new SessionStep.Bury(beat + random.nextInt(2));
            case 1 -> new SessionStep.Begin(Duration.ofSeconds(20), "owner", time());
            case 2 -> new SessionStep.End();
            case 3, 4, 5 -> new SessionStep.Bury(beat + 1 + random.nextInt(3));
            default -> new SessionStep.Beat(beat + random.nextInt(4), settled(id, item), obeyed(id, item), time());
        };
    }

    private Step ask(LockItem item) {
        Entry entry = entry();
        int permits = entry.mode().equals(Mode.PERMIT) ? permits(item) : 0;
        Step.Ask ask = new Step.Ask(entry, time().getEpochSecond() * 1_000_000, most(item), permits);
        return random.nextInt(3) == 0 ? ask.ifExists() : ask;
    }

    private Step renameOrResize(LockItem item) {
        if (random.nextInt(4) == 0) {
            return new Step.Resize(permits(item));
        }
        int index = random.nextInt(2);
        return new Step.Rename(index, entryAt(item, index), entry(), dataOrNone());
    }

    /** Mostly those that the lock has. */
    private int permits(LockItem item) {
        return Math.max(1, item.permits() + (random.nextInt(3) == 0 ? 1 : 0));
    }

    private Step grow(LockItem item) {
        int last = item.queue().size() - 1;
        int index = random.nextInt(4) == 0 ? Math.max(0, last - 1) : Math.max(0, last);
        return new Step.Grow(index, entryAt(item, index), 1 + random.nextInt(3));
    }

    /** Of one entry or several, now and then of one that has moved or never stood there. */
    private Step leave(LockItem item) {
        NavigableMap<Integer, Entry> entries = new TreeMap<>();
        int wanted = 1 + random.nextInt(3);
        while (entries.size() < wanted) {
            int index = random.nextInt(Math.max(wanted, item.queue().size()));
            int shift = random.nextInt(8) == 0 ? 1 : 0;
            entries.put(index, entryAt(item, index + shift));
        }
        return new Step.Leave(entries, dataOrNone());
    }

    private @Nullable LockData dataOrNone() {
        return random.nextBoolean() ? data() : null;
    }

    /** Often none. */
    private LockData data() {
        byte[] bytes = new byte[random.nextInt(3) * random.nextInt(20)];
        random.nextBytes(bytes);
        return LockData.of(bytes);
    }

    /** Such that the queue is often full. */
    private int most(LockItem item) {
        return Math.max(1, item.queue().size() + random.nextInt(4) - 1);
    }

    private Entry exclusiveEntry() {
        Entry any = entry();
        return new Entry(any.block(), any.callers());
    }

    private Entry entryAt(LockItem item, int index) {
        return index < item.queue().size() && random.nextInt(10) > 0
                ? item.queue().get(index)
                : entry();
    }

    private Entry entry() {
        long number = random.nextInt(20) == 0 ? 1L << random.nextInt(36) : 1 + random.nextInt(6);
        return new Entry(new BlockId(SessionId.of(7 + random.nextInt(3)), number), oneOf(MODES), 1 + random.nextInt(3));
    }

    private Set<Dispute> settled(SessionId id, Optional<SessionItem> item) {
        Set<Dispute> settled = new HashSet<>();
        item.ifPresent(found ->
                found.disputes().stream().filter(open -> random.nextBoolean()).forEach(settled::add));
        if (random.nextInt(4) == 0) {
            settled.add(dispute(id));
        }
        return settled;
    }

    private Set<Eviction> obeyed(SessionId id, Optional<SessionItem> item) {
        Set<Eviction> obeyed = new HashSet<>();
        item.ifPresent(found ->
                found.evictions().stream().filter(open -> random.nextBoolean()).forEach(obeyed::add));
        if (random.nextInt(4) == 0) {
            obeyed.add(eviction(id));
        }
        return obeyed;
    }

    private Eviction eviction(SessionId id) {
        Dispute place = dispute(id);
        Entry seen = new Entry(place.block(), 1 + random.nextInt(2));
        return Eviction.of(place.key(), seen, random.nextBoolean() ? random.nextInt(2) : random.nextLong());
    }

    private Dispute dispute(SessionId id) {
        String namespace = random.nextBoolean() ? "default" : "a|b#c";
        return new Dispute(new LockKey(oddKey(), namespace), new BlockId(id, 1 + random.nextInt(3)));
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
