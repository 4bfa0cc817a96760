package io.dynamolock.simulation;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.LockPage;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What one process sees of the table: its requests travel, arrive late, twice or never, and so do the answers. */
final class SimulatedLink implements LockStore {

    private final String process;
    private final SimulatedNetwork network;
    private final SimulatedTable table;
    private final CallReferee referee;
    private final Traces traces;
    /** Blocks whose leave was refused because they were not there, and the process has heard it. */
    private final Set<BlockId> knownToBeGone = new HashSet<>();

    private @Nullable Member member;
    private Instant storeClock;

    SimulatedLink(String process, SimulatedNetwork network, SimulatedTable table, CallReferee referee, Traces traces) {
        this.process = process;
        this.network = network;
        this.table = table;
        this.referee = referee;
        this.traces = traces;
        this.storeClock = table.now();
    }

    /** The process on this side of the link. */
    void serve(Member served) {
        member = served;
        referee.watches(served.process);
    }

    String process() {
        return process;
    }

    EngineSettings settings() {
        return referee.settings();
    }

    SimulatedProcess client() {
        return member().process;
    }

    private Member member() {
        Member served = member;
        if (served == null) {
            throw new IllegalStateException("nobody uses this link yet");
        }
        return served;
    }

    CallReferee referee() {
        return referee;
    }

    boolean knowsToBeGone(BlockId block) {
        return knownToBeGone.contains(block);
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return Optional.of(storeClock);
    }

    private StoreCall call(StoreOperation operation, Object... what) {
        return new StoreCall(this, operation, client().clock().nanos(), network.nanos(), what);
    }

    @Override
    public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
        StoreCall call = call(StoreOperation.of(step), "on", key, step);
        call.whenEnded(() -> traces.ends(step));
        traces.sends(step);
        int sent = sends(call, new Sent.Take(key, step));
        CompletionStage<Answer<LockItem>> taken = network.send(call, () -> {
            Answer<LockItem> answer = table.take(call, key, step, now);
            int told = table.journal().lands(sent, answer.isApplied(), answer.item());
            long landed = network.nanos();
            return new SimulatedNetwork.Landed<>(answer, () -> {
                referee.mayLook(key);
                hears(told);
                boolean isInTime = referee.isInTime(call);
                if (isInTime) {
                    traces.answers(step);
                }
                // A loop that stands still may find the end of the call before its answer.
                boolean isHeard = isInTime && !member().process.isFrozen();
                if (step instanceof Step.Leave leave && !answer.isApplied() && isHeard) {
                    leave.entries().values().stream()
                            .map(Entry::block)
                            .filter(block -> answer.item().indexOf(block) < 0)
                            .forEach(knownToBeGone::add);
                }
                if (!(step instanceof Step.Leave) && isInTime) {
                    member().knows(call, key, landed);
                }
            });
        });
        return taken.whenComplete((answer, failure) -> {
            if (failure instanceof StoreFailure known && !known.mayHaveTakenEffect()) {
                traces.answers(step);
            }
        });
    }

    @Override
    public CompletionStage<LockItem> look(LockKey key, boolean consistent) {
        StoreCall call = call(StoreOperation.LOOK, consistent ? "look consistently at" : "look at", key);
        referee.looks(call, key, member().shortestWait(key));
        int sent = sends(call, new Sent.Look(key, consistent));
        CompletionStage<LockItem> answer = network.send(call, () -> {
            LockItem item = table.look(call, key, consistent ? Duration.ZERO : network.staleness());
            int told = table.journal().lands(sent, true, item);
            return new SimulatedNetwork.Landed<>(item, () -> hears(told));
        });
        return answer.whenComplete((item, failure) -> {
            if (failure != null) {
                referee.mayLook(key);
            }
        });
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        throw new UnsupportedOperationException("nobody lists locks in a simulation");
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now) {
        StoreCall call = call(StoreOperation.of(step), id, step);
        if (step instanceof SessionStep.Begin) {
            traces.beginningSent(call);
        }
        referee.sessionSent(call, id, step);
        if (step instanceof SessionStep.Beat beat) {
            member().evictions().beats(member(), id, beat);
        }
        int sent = sends(call, new Sent.OfSession(id, step));
        return network.send(call, () -> {
            Instant at = table.now();
            Answer<Optional<SessionItem>> answer = table.take(call, id, step);
            Map<SessionId, SessionItem> shown =
                    answer.item().map(item -> Map.of(id, item)).orElse(Map.of());
            int told = table.journal().lands(sent, answer.isApplied(), shown);
            member().evictions().lands(id, step, answer.isApplied());
            return new SimulatedNetwork.Landed<>(answer, () -> {
                storeClock = at;
                member().evictions().hears(member(), id, step, answer.item(), referee.isInTime(call), referee::mayLook);
                hears(told);
            });
        });
    }

    @Override
    public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
        StoreCall call = call(StoreOperation.READ_SESSIONS, "read sessions", ids);
        int sent = sends(call, new Sent.Read(ids));
        return network.send(call, () -> {
            Map<SessionId, SessionItem> items = table.sessions(ids);
            int told = table.journal().lands(sent, true, items);
            Map<SessionId, Optional<SessionItem>> answer = new HashMap<>();
            ids.forEach(id -> answer.put(id, Optional.ofNullable(items.get(id))));
            return new SimulatedNetwork.Landed<>(answer, () -> hears(told));
        });
    }

    private int sends(StoreCall call, Sent sent) {
        return table.journal().sends(process, sent, call.sentByOwnClock);
    }

    private void hears(int answer) {
        SimulatedClock clock = client().clock();
        table.journal().hears(answer, clock.nanos(), clock.now());
    }

    StoreFailure failure(StoreFailure.Kind kind, Object why) {
        return new StoreFailure(kind, "simulated: " + why, null);
    }
}
