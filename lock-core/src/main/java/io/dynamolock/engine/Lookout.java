package io.dynamolock.engine;

import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this process does while it waits for others: it looks at the lock, and at the sessions ahead. Lives on the event loop. */
final class Lookout {

    private final EngineParts parts;
    private final EngineContext context;
    private final KeyCalls calls;
    private final Outlook outlook;
    private final Waits waits;
    private final Line line;
    private final Entrance entrance;
    private final Exit exit;
    private EventLoop.@Nullable Timer timer;
    private boolean looking;
    private boolean hasNews;
    private boolean hasCompany;
    private long plannedFor;
    private int failures;
    private long lookSent;
    private boolean hasLooked;

    Lookout(EngineParts parts, KeyCalls calls, Outlook outlook, Waits waits, Line line, Entrance entrance, Exit exit) {
        this.parts = parts;
        this.context = parts.context();
        this.calls = calls;
        this.outlook = outlook;
        this.waits = waits;
        this.line = line;
        this.entrance = entrance;
        this.exit = exit;
    }

    /** What was planned is out of date. */
    void news() {
        hasNews = true;
    }

    /** Somebody has come who may want the next look sooner. It never comes later for that, however many come. */
    void company() {
        hasCompany = true;
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private boolean isWanted() {
        return line.waiting() != null || entrance.isAtTheDoor();
    }

    void step() {
        if (!isWanted()) {
            stop();
            return;
        }
        LockItem item = outlook.item();
        Block block = line.waiting();
        int place = block == null ? item.queue().size() : item.indexOf(block.id());
        if (place > 0) {
            watch(item.queue().subList(0, place));
        }
        if (!looking && (timer == null || hasNews || hasCompany)) {
            plan(failures > 0 ? context.backoff.delay(failures) : pause(block, place));
            hasNews = false;
            hasCompany = false;
            hasLooked = false;
        }
    }

    private void plan(Duration pause) {
        long due = context.time.nanos() + pause.toNanos();
        if (timer == null || hasNews || due - plannedFor < 0) {
            stop();
            plannedFor = due;
            timer = calls.later(this::look, pause);
        }
    }

    private void watch(List<Entry> ahead) {
        List<Entry> others = ahead.stream()
                .filter(entry -> !parts.keeper().isOwn(entry.session()))
                .toList();
        Duration sameFirst = outlook.sameFirst();
        if (!others.isEmpty() && others.get(0) == ahead.get(0)) {
            // Attempts that came and went have seen it, too.
            Duration before = parts.heldLong().seen(calls.key(), others.get(0));
            sameFirst = before.compareTo(sameFirst) > 0 ? before : sameFirst;
        }
        int gone = parts.vigil().toClear(ahead, sameFirst, exit::isAbandoned);
        if (gone > 0) {
            exit.clear(gone);
            return;
        }
        PeerWatch peers = parts.peers();
        parts.vigil().toWatch(others, sameFirst, peers::isDead, peers::isQuiet).forEach(peers::watch);
    }

    /** From the sending of the last look, so that a slow store is not looked at less often; but it has time to rest. */
    private Duration untilNextLook(Duration pause) {
        if (!hasLooked) {
            return pause;
        }
        Duration rest = pause.minus(context.since(lookSent));
        Duration least = pause.dividedBy(4);
        return rest.compareTo(least) < 0 ? least : rest;
    }

    private Duration pause(@Nullable Block block, int place) {
        Duration pause;
        if (block == null) {
            Caller first = waits.first();
            Duration waited = first == null ? Duration.ZERO : context.since(first.startedNanos());
            pause = parts.pace().atTheDoor(waited, waits.shortest());
        } else if (outlook.isDoubtful() || place < 1) {
            pause = context.settings.pollMin();
        } else {
            pause = parts.pace().next(place, outlook.sameFirst(), outlook.perBlock(), Waits.shortest(block.callers()));
        }
        return untilNextLook(context.backoff.jittered(pause));
    }

    private void look() {
        timer = null;
        if (looking || !isWanted()) {
            return;
        }
        looking = true;
        lookSent = context.time.nanos();
        calls.look(
                outlook.isDoubtful(),
                this::isWanted,
                () -> {
                    looking = false;
                    hasLooked = true;
                    failures = 0;
                },
                failure -> {
                    looking = false;
                    failures++;
                    hasNews = true;
                });
    }
}
