package io.dynamolock.simulation;

import io.dynamolock.internal.engine.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** All processes of a simulation, the table between them and those who judge. */
final class Cluster {

    private final VirtualTime time = new VirtualTime();
    private final History history = new History(time);
    private final Promises promises = new Promises(history);
    private final Counts counts = new Counts();
    private final Traces traces = new Traces(time);
    private final Twist twist;
    private final Journal journal;
    private final SimulatedTable table;
    private final SplittableRandom random;
    private final Faults faults;
    private final SimulatedNetwork network;
    private final GrantReferee grants;
    private final EvictionReferee evictions;
    private final ProcessSettings settings;
    private final List<Member> members = new ArrayList<>();
    private final boolean checksAfterEveryStep;

    Cluster(SplittableRandom random, Twist twist, Journal journal) {
        this.random = random;
        this.twist = twist;
        this.journal = journal;
        this.faults = new Faults(random.split());
        Items items = new Items(twist.rules());
        QueueReferee queues = new QueueReferee(time, items, traces, promises, counts, faults.isCalm());
        this.table = new SimulatedTable(time, items, queues, traces, journal);
        this.settings = new ProcessSettings(random.split(), faults);
        this.network = new SimulatedNetwork(time, random.split(), faults, history, counts, settings.lease());
        this.grants = new GrantReferee(time, items, queues, traces, journal, promises, history, counts, faults);
        this.evictions = new EvictionReferee(time, items, queues, grants, promises, counts, faults.isCalm());
        // To ask a grant whether it is valid may settle that it is not: some seeds do so as seldom as they can.
        this.checksAfterEveryStep = random.nextInt(3) > 0;
        time.afterEachStep(this::check);
    }

    private void check() {
        if (table.hasChanged() || checksAfterEveryStep) {
            grants.check();
        }
    }

    Member start() {
        return start("p" + members.size());
    }

    Member start(String name) {
        EngineSettings drawn = settings.next();
        SimulatedLink link = new SimulatedLink(name, network, table, new CallReferee(drawn, promises), traces);
        Member member = new Member(
                link,
                time,
                settings.clock(time, drawn.lease()),
                random.nextLong(),
                history,
                counts,
                promises,
                grants,
                evictions,
                faults.isCalm(),
                twist,
                traces,
                journal);
        members.add(member);
        journal.starts(name, drawn);
        history.add(name, "starts, lease", drawn.lease(), "lockDelay", drawn.lockDelay(), settings.describeClock());
        return member;
    }

    List<Member> members() {
        return members;
    }

    List<Member> running() {
        return members.stream().filter(Member::isRunning).toList();
    }

    @Nullable
    Member anyRunning() {
        List<Member> running = running();
        return running.isEmpty() ? null : running.get(random.nextInt(running.size()));
    }

    Duration lease() {
        return settings.lease();
    }

    ProcessSettings settings() {
        return settings;
    }

    VirtualTime time() {
        return time;
    }

    History history() {
        return history;
    }

    Promises promises() {
        return promises;
    }

    Counts counts() {
        return counts;
    }

    SimulatedTable table() {
        return table;
    }

    Traces traces() {
        return traces;
    }

    Faults faults() {
        return faults;
    }

    SimulatedNetwork network() {
        return network;
    }

    Journal journal() {
        return journal;
    }

    GrantReferee grants() {
        return grants;
    }

    EvictionReferee evictions() {
        return evictions;
    }

    boolean nobodyWaits() {
        for (Member member : members) {
            if (!member.process.isDead() && member.hasWaiting()) {
                return false;
            }
        }
        return true;
    }

    /** Goes on, unless a promise is broken already. */
    void advance(Duration span) {
        time.advanceUntil(() -> !promises.areKept(), span);
    }
}
