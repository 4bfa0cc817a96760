package io.dynamolock.engine;

import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Pace;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** What this process does while it waits for others: it looks at the lock, and at the sessions ahead. Lives on the event loop. */
final class Lookout {

    private final KeyParts parts;
    private final Entrance entrance;
    private final Exit exit;
    private final Runnable looked;
    private EventLoop.@Nullable Timer timer;
    private boolean outOfDate;
    private long newsAt;
    private long countsFrom;
    private int failures;

    /** @param looked runs after each look, for which others may have waited */
    Lookout(KeyParts parts, Entrance entrance, Exit exit, Runnable looked) {
        this.parts = parts;
        this.entrance = entrance;
        this.exit = exit;
        this.looked = looked;
        // Others may have seen the lock before, so that this one begins with what they have seen.
        newsAt = parts.context.time.nanos();
        countsFrom = newsAt;
    }

    /** What was planned is out of date. */
    void news() {
        outOfDate = true;
        newsAt = parts.context.time.nanos();
        countsFrom = newsAt;
    }

    /** Somebody has come who may want the next look sooner. It is not put off for that, however many come. */
    void company() {
        outOfDate = true;
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private boolean isWanted() {
        return parts.line.waiting() != null || entrance.isAtTheDoor();
    }

    void step() {
        if (!isWanted()) {
            stop();
            return;
        }
        LockItem item = parts.outlook.item();
        Block block = parts.line.waiting();
        int place = block == null ? item.queue().size() : item.indexOf(block.id());
        if (place > 0) {
            watch(item.queue().subList(0, place), Math.min(place, item.holders()), block);
        }
        if (block != null && isUpToThisProcess(item.queue().subList(0, Math.max(0, place)))) {
            stop();
            return;
        }
        if (!parts.outlook.isLookedAt() && (timer == null || outOfDate)) {
            Backoff backoff = parts.context.backoff;
            stop();
            timer = parts.calls.later(
                    this::look,
                    untilNextLook(failures > 0 ? backoff.delay(failures) : backoff.jittered(pause(block, place))));
            outOfDate = false;
        }
    }

    /** Whether nobody else lets this process in: it hears of its own releases without looks. Others set the number of permits. */
    private boolean isUpToThisProcess(List<Entry> ahead) {
        return !ahead.isEmpty()
                && !parts.outlook.isDoubtful()
                && parts.kind != Kind.PERMIT
                && ahead.stream().allMatch(entry -> parts.group.knows(entry.block()));
    }

    private void watch(List<Entry> ahead, int holders, @Nullable Block block) {
        List<Entry> others = others(ahead);
        Duration sameFirst = parts.outlook.sameFirst();
        if (!others.isEmpty() && others.get(0) == ahead.get(0)) {
            // Attempts that came and went have seen it, too.
            sameFirst =
                    Collections.max(List.of(sameFirst, parts.engine.heldLong().seen(parts.key, others.get(0))));
        }
        boolean mayJoin = block == null
                ? parts.kind.mode() != io.dynamolock.internal.protocol.Mode.EXCLUSIVE
                : block.entry().mode().isJoint();
        NavigableMap<Integer, Entry> gone = mayJoin
                ? parts.engine.vigil().toClearAmong(ahead, holders, sameFirst, exit::isAbandoned)
                : parts.engine.vigil().toClear(ahead, sameFirst, exit::isAbandoned);
        if (!gone.isEmpty()) {
            exit.clear(gone);
            return;
        }
        if (mayJoin) {
            // A reader has nothing against those who hold the lock.
            int from = parts.kind == Kind.PERMIT ? 1 : holders;
            int to = Math.min(ahead.size(), holders + 1);
            parts.engine
                    .heldLong()
                    .inTheWay(parts.key, parts.kind, others(ahead.subList(Math.min(Math.max(1, from), to), to)));
        }
        PeerWatch peers = parts.engine.peers();
        parts.engine
                .vigil()
                .toWatch(others, others(ahead.subList(0, holders)).size(), sameFirst, peers::isDead, peers::isQuiet)
                .forEach(peers::watch);
    }

    private List<Entry> others(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> !parts.engine.keeper().isOwn(entry.session()))
                .toList();
    }

    private Duration pause(@Nullable Block block, int place) {
        Outlook outlook = parts.outlook;
        Pace pace = parts.engine.pace();
        if (block == null) {
            Caller first = parts.gathering.first();
            Duration waited = first == null ? Duration.ZERO : parts.context.since(first.startedNanos());
            return pace.atTheDoor(waited, parts.gathering.shortest());
        }
        if (outlook.isDoubtful() || place < 1) {
            return parts.context.settings.pollMin();
        }
        int behindHolders = place - Math.min(place, outlook.item().holders()) + 1;
        return pace.next(behindHolders, outlook.sameFirst(), outlook.perBlock(), Caller.shortestWait(block.callers()));
    }

    /** From the sending of the last look, so that a slow store is not looked at less often; but it has time to rest. */
    private Duration untilNextLook(Duration pause) {
        Duration rest = pause.minus(parts.context.since(countsFrom));
        Duration least = pause.dividedBy(4).minus(parts.context.since(newsAt));
        return Collections.max(List.of(rest, least, Duration.ZERO));
    }

    private void look() {
        timer = null;
        if (parts.outlook.isLookedAt() || !isWanted()) {
            return;
        }
        parts.outlook.lookedAt(true);
        long sent = parts.context.time.nanos();
        parts.calls.look(
                parts.outlook.isDoubtful(),
                this::isWanted,
                () -> {
                    parts.outlook.lookedAt(false);
                    failures = 0;
                    countsFrom = sent;
                    looked.run();
                },
                () -> {
                    parts.outlook.lookedAt(false);
                    failures++;
                    news();
                    looked.run();
                });
    }
}
