package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.time.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a simulation: how its processes decide, and what its table does with edits. A subclass may override each
 * rule, and a recorder may write down what happens.
 */
class Rules implements EngineSimulation.Parts {

    private @Nullable TraceRecorder recorder;

    /** @return these rules; the recorder writes down what happens by them */
    Rules recordedBy(TraceRecorder writer) {
        recorder = writer;
        return this;
    }

    // The store

    @Override
    public LockStore table(InMemoryLockStore table) {
        LockStore changed = tableOf(table);
        return recorder == null ? changed : recorder.table(table, changed);
    }

    LockStore tableOf(InMemoryLockStore table) {
        return table;
    }

    /** The way of a process to the table. */
    LockStore way(LockStore way) {
        return way;
    }

    // The process

    EngineSettings settings(EngineSettings settings) {
        return settings;
    }

    Peers peers(EngineSettings settings) {
        return new Peers(settings);
    }

    @Override
    public Engine engine(Engine.Parts usual) {
        EngineSettings settings = settings(usual.settings());
        TraceRecorder.@Nullable Process process = recorder == null ? null : recorder.process(settings, usual.time());
        LockStore way = way(usual.store());
        Peers peers = peers(settings);
        Engine.Parts parts = new Engine.Parts(
                settings,
                process == null ? way : process.way(way),
                usual.loop(),
                usual.time(),
                usual.random(),
                usual.clocks(),
                usual.listener());
        return new Engine(parts, peers) {
            @Override
            LockState stateOf(LockKey key, SeenBefore before) {
                return new State(
                        key,
                        settings,
                        before,
                        peers,
                        this::base,
                        this::latestNow,
                        usual.time().moment(),
                        process);
            }
        };
    }

    // What is decided about a lock

    /** The events that the state of a lock hears in place of this one, in their order. */
    List<Event> events(Event event, Now now) {
        return List.of(event(event, now));
    }

    Event event(Event event, Now now) {
        return event;
    }

    Now now(Now now) {
        return now;
    }

    /** The entries ahead that count as entries which nobody will release, by their place in the queue. */
    NavigableMap<Integer, Entry> failed(NavigableMap<Integer, Entry> failed, Situation situation) {
        return failed;
    }

    NextWrite.Decision decision(NextWrite.Decision decision, Situation situation) {
        return decision;
    }

    Holds holds() {
        return new Holds();
    }

    Stays stays(Stays.History before) {
        return new Stays(before);
    }

    /**
     * What a decision on a write is made from.
     *
     * @param own the entries of this process
     * @param somebodyWaits whether a caller of this process waits
     */
    record Situation(LockItem item, SessionId session, List<OwnEntry> own, boolean somebodyWaits, Moment now) {}

    private final class State extends LockState {

        private final TraceRecorder.@Nullable State recorded;

        State(
                LockKey key,
                EngineSettings settings,
                SeenBefore before,
                Peers sessions,
                LongSupplier base,
                Supplier<Instant> latestNow,
                Moment now,
                TraceRecorder.@Nullable Process process) {
            super(key, settings, before, sessions, base, latestNow, now, holds(), stays(before.stays()));
            recorded = process == null ? null : process.state(key);
        }

        @Override
        List<Effect> on(List<Event> happened, Now now) {
            List<Event> heard = new ArrayList<>();
            for (Event event : happened) {
                if (recorded != null) {
                    recorded.hears(event, now, this);
                }
                heard.addAll(events(event, now));
            }
            List<Effect> effects = super.on(heard, Rules.this.now(now));
            if (recorded != null) {
                recorded.does(effects, this);
            }
            return effects;
        }

        @Override
        NextWrite.Decision nextWrite(NavigableMap<Integer, Entry> failed, Moment now) {
            Situation situation =
                    new Situation(known.item(), Objects.requireNonNull(own.session()), own.all(), !line.isEmpty(), now);
            return decision(super.nextWrite(failed(failed, situation), now), situation);
        }
    }
}
