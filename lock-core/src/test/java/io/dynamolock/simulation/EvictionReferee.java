package io.dynamolock.simulation;

import io.dynamolock.engine.Grant;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges what becomes of evictions: nobody is put out but who was told to go, and nobody twice; a holder is out as
 * soon as its process has heard of that, which says so with its next heartbeat; and none is lost while the session lives that it
 * was told to.
 */
final class EvictionReferee {

    /** A process obeys at once; when all is well its writes have landed by then. */
    private static final Duration OBEYED_WITHIN = Duration.ofMillis(1_500);

    /** What the session of a process was told, by another process or by itself. */
    static final class Told {

        final LockKey key;
        final BlockId block;
        final int callers;
        final @Nullable Eviction eviction;
        /** Each time that the process may have heard of it; a late answer it does not hear. */
        final List<EvictionHearing> hearings = new ArrayList<>(1);

        boolean shown;
        boolean obeyed;
        int left;
        int lost;

        Told(LockKey key, BlockId block, int callers, @Nullable Eviction eviction) {
            this.key = key;
            this.block = block;
            this.callers = callers;
            this.eviction = eviction;
        }
    }

    /** @param own what the process that was asked is told by that, if the place is its own */
    record Request(
            Member by, LockKey key, Entry place, @Nullable Told own) {}

    private final VirtualTime time;
    private final Items truth;
    private final QueueReferee queues;
    private final GrantReferee grants;
    private final Promises promises;
    private final Counts counts;
    private final boolean calm;
    private final Map<SessionId, List<Told>> told = new HashMap<>();
    private final Map<BlockId, Long> firstAskedAt = new HashMap<>();
    private final Map<BlockId, SimulatedCaller> lastGranted = new HashMap<>();

    EvictionReferee(
            VirtualTime time,
            Items truth,
            QueueReferee queues,
            GrantReferee grants,
            Promises promises,
            Counts counts,
            boolean calm) {
        this.time = time;
        this.truth = truth;
        this.queues = queues;
        this.grants = grants;
        this.promises = promises;
        this.counts = counts;
        this.calm = calm;
    }

    private List<Told> toldTo(@Nullable SessionId session) {
        return session == null ? List.of() : told.computeIfAbsent(session, absent -> new ArrayList<>());
    }

    // What an operator asks

    /** An operator asks a process to have this place given up; it needs no telling if the place is that process's own. */
    Request asks(Member by, LockKey key, Entry place) {
        firstAskedAt.putIfAbsent(place.block(), time.nanos());
        grants.mayEndSoon(key);
        if (!place.session().equals(by.session)) {
            return new Request(by, key, place, null);
        }
        grants.mayEndAtAnyTime(key, true);
        // The process looks only now: until then, more may come.
        Told own = new Told(key, place.block(), Integer.MAX_VALUE, null);
        own.shown = true;
        own.hearings.add(hearing(place.session(), own));
        toldTo(place.session()).add(own);
        return new Request(by, key, place, own);
    }

    void fails(Request request) {
        if (request.own() != null) {
            grants.mayEndAtAnyTime(request.key(), false);
        }
    }

    void isAnswered(Request request, boolean isTold) {
        LockKey key = request.key();
        Entry place = request.place();
        grants.mayEndSoon(key);
        Told own = request.own();
        if (own != null) {
            grants.mayEndAtAnyTime(key, false);
            if (isTold && place.session().equals(request.by().session)) {
                own.hearings.forEach(EvictionHearing::judge);
                isObeyed(request.by(), place.session(), own, place.callers());
            }
        }
        counts.add(isTold ? "evictions told" : "evictions in vain");
        if (calm && !isTold) {
            promises.check(
                    truth.lock(key).indexOf(place.block()) < 0
                            || truth.session(place.session()).isEmpty(),
                    request.by().name() + " says that " + place + " of " + key + " is gone, but it is there");
        }
    }

    // What sessions carry

    void lands(SessionId session, SessionStep step, boolean applied) {
        if (applied
                && step instanceof SessionStep.Evict evict
                && find(session, evict.eviction()).isEmpty()) {
            Eviction eviction = evict.eviction();
            toldTo(session).add(new Told(eviction.key(), eviction.block(), eviction.callers(), eviction));
            if (calm) {
                long isOverAt = time.nanos();
                counts.add("evictions judged in calm");
                time.schedule(() -> isHeardOf(session, eviction, isOverAt), Duration.ofSeconds(60));
            }
        }
    }

    private void isHeardOf(SessionId session, Eviction eviction, long toldAt) {
        promises.check(
                truth.session(session).isEmpty() || find(session, eviction).orElseThrow().obeyed,
                eviction + " was told " + Duration.ofNanos(time.nanos() - toldAt) + " ago, and nobody has obeyed it");
    }

    private Optional<Told> find(SessionId session, Eviction eviction) {
        return toldTo(session).stream()
                .filter(one -> eviction.equals(one.eviction))
                .findFirst();
    }

    /**
     * The process is about to hear what its session carries.
     *
     * @param isInTime whether it still waits for the answer
     * @param news told of each lock from which it has to give up a place: it may look at that first
     */
    void hears(
            Member member,
            SessionId session,
            SessionStep step,
            Optional<SessionItem> item,
            boolean isInTime,
            Consumer<LockKey> news) {
        if (step instanceof SessionStep.Beat && item.isPresent()) {
            item.get()
                    .evictions()
                    .forEach(eviction -> find(session, eviction).ifPresent(one -> {
                        if (!one.shown) {
                            news.accept(one.key);
                            // Until it has obeyed: if the block waits, it looks first, and a caller may hold the lock
                            // by then.
                            grants.mayEndAtAnyTime(one.key, true);
                        }
                        one.shown = true;
                        grants.mayEndSoon(one.key);
                        if (!one.obeyed && isInTime) {
                            EvictionHearing hearing = hearing(session, one);
                            one.hearings.add(hearing);
                            // Its engine hears of the answer first, and obeys then.
                            member.process.afterAll(() -> member.process.afterAll(hearing::judge));
                        }
                    }));
        }
    }

    private EvictionHearing hearing(SessionId session, Told one) {
        LockItem lock = truth.lock(one.key);
        int place = lock.indexOf(one.block);
        return new EvictionHearing(
                holders(session, one).toList(),
                lastGranted.get(one.block),
                place >= 0 && lock.queue().get(place).callers() <= one.callers);
    }

    /** Those that have the lock by the block and have not given it back. */
    private Stream<SimulatedCaller> holders(SessionId session, Told one) {
        return grants.valid().stream()
                .filter(caller -> session.equals(caller.session)
                        && caller.key().equals(one.key)
                        && !caller.released
                        && isBy(caller, one.block));
    }

    private boolean isBy(SimulatedCaller caller, BlockId block) {
        return caller.block != null
                // By a number that has come back in a new item, nobody is meant that held the lock by the old one.
                && !queues.isEvicted(caller.block)
                && (block.equals(caller.block) || queues.goesOnFrom(caller.block, block) && caller.wasWriter());
    }

    /** With a heartbeat a process says what it has obeyed. */
    void beats(Member member, SessionId session, SessionStep.Beat beat) {
        for (Eviction eviction : beat.obeyed()) {
            Optional<Told> found = find(session, eviction);
            promises.check(
                    found.isPresent() && found.get().shown,
                    member.name() + " has obeyed " + eviction + ", of which it has not heard");
            if (found.isPresent() && !found.get().obeyed) {
                found.get().obeyed = true;
                grants.mayEndAtAnyTime(eviction.key(), false);
                counts.add("evictions obeyed");
                isObeyed(member, session, found.get(), eviction.callers());
            }
        }
    }

    private void isObeyed(Member member, SessionId session, Told one, int callers) {
        long askedAt = firstAskedAt.getOrDefault(one.block, 0L);
        holders(session, one)
                .filter(caller -> caller.grantedAt < askedAt)
                .forEach(seen -> promises.check(
                        !Objects.requireNonNull(seen.grant).isValid(),
                        seen + " still holds " + one.key + " by " + one.block + ", of which " + member.name()
                                + " has been told that it is to be given up"));
        promises.check(
                one.hearings.isEmpty() || one.hearings.stream().anyMatch(EvictionHearing::isObeyed),
                member.name() + " has obeyed an eviction from " + one.block + " of " + one.key + ", but not at once: "
                        + one.hearings);
        if (one.hearings.stream().anyMatch(EvictionHearing::findsItGivenBack)) {
            counts.add("evictions of those who had given back");
        } else if (calm) {
            time.schedule(() -> isGivenUp(member, session, one.key, one.block, callers), OBEYED_WITHIN);
        }
    }

    /** Nobody but who came into it later may stand there. */
    private void isGivenUp(Member member, SessionId session, LockKey key, BlockId block, int callers) {
        LockItem lock = truth.lock(key);
        int place = lock.indexOf(block);
        promises.check(
                place < 0
                        || lock.queue().get(place).callers() > callers
                        || truth.session(session).isEmpty()
                        || !member.isRunning(),
                member.name() + " has obeyed an eviction from " + block + " of " + key + ", but it stands there: "
                        + lock);
    }

    // Who comes and goes

    void isGranted(SimulatedCaller caller) {
        if (caller.block != null) {
            lastGranted.put(caller.block, caller);
        }
    }

    /** A caller that waited was put out. */
    void putOut(SimulatedCaller caller) {
        Optional<Told> why = toldOf(caller.member.session, caller.key(), one -> one.left < one.callers);
        promises.check(why.isPresent(), caller + " is put out of the queue of " + caller.key() + ", for no reason");
        why.ifPresent(one -> one.left++);
    }

    /** A caller lost the lock because it was to be put out. */
    void putOutOfTheLock(SimulatedCaller caller) {
        BlockId block = caller.block;
        Grant grant = Objects.requireNonNull(caller.grant);
        boolean alone = grant.kind() == Kind.EXCLUSIVE;
        Optional<Told> why = toldOf(
                caller.session,
                caller.key(),
                one -> one.lost < (alone ? 1 : one.callers)
                        && (block == null || block.equals(one.block) || queues.isMeantBy(block, one.block)));
        promises.check(
                why.isPresent(),
                caller + " loses " + caller.key() + ", which it holds by " + block
                        + ", to an eviction of somebody else");
        why.ifPresent(one -> one.lost++);
        counts.add("evictions of holders");
        grants.mayEndSoon(caller.key());
    }

    private Optional<Told> toldOf(@Nullable SessionId session, LockKey key, Predicate<Told> fits) {
        return toldTo(session).stream()
                .filter(one -> one.shown && one.key.equals(key))
                .filter(fits)
                .findFirst();
    }

    /** When all is well again and processes have sent several heartbeats. */
    void noneIsLost(List<Member> running) {
        for (Member member : running) {
            for (Told one : toldTo(member.session)) {
                promises.check(
                        one.eviction == null || one.obeyed,
                        member.name() + " has never obeyed " + one.eviction + ", of which it was told");
            }
            SessionId session = member.session;
            Optional<SessionItem> item = session == null ? Optional.empty() : truth.session(session);
            promises.check(
                    item.isEmpty() || item.get().evictions().isEmpty(),
                    "the session of " + member.name() + " carries evictions that were obeyed: " + item);
        }
    }
}
