package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Unreadable;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What lies between processes and their table. It delivers calls and answers by a virtual clock, counts the calls, and
 * a test decides what becomes of them. Unless a test says otherwise, a call and its answer take three milliseconds
 * each, and every call is answered.
 */
public final class Network {

    /** The kinds of calls. An edit is an {@code EDIT}, and also an {@code APPEND} if it appends, and so on. */
    public enum Call {
        EDIT,
        APPEND,
        REISSUE,
        REMOVAL,
        READ,
        LIST,
        BEGIN,
        HEARTBEAT,
        EXPIRE,
        END,
        NOTIFY,
        SESSIONS
    }

    /** What becomes of a call. */
    public enum Fate {
        ANSWERED,
        REFUSED_CONNECTION,
        /** The call takes no effect and gets no answer. */
        SILENT,
        THROTTLED,
        CONFLICTED,
        /** The store refuses the call for good. */
        REFUSED,
        /** The table, the permission or the credentials are missing. */
        DENIED,
        UNREADABLE,
        /** The call takes effect; its answer shows an item that cannot be read. */
        UNREADABLE_ITEM,
        /** The call takes effect, but the process hears that it failed. */
        LOST_ANSWER,
        /** The call takes effect; its answer is held up until {@link #resume()}. */
        SLOW_ANSWER,
        /** The call is held up until {@link #resume()}; then it takes effect and is answered. */
        STALLED,
        /** The process hears that the call failed; it takes effect with {@link #landLate()}. */
        LANDS_LATE,
        /** The call is answered, and takes effect once more a millisecond later. */
        LANDS_TWICE
    }

    private static final Duration USUAL_TIME_OF_ONE_WAY = Duration.ofMillis(3);

    private final VirtualTime time;
    private final InMemoryLockStore table;

    /** What becomes of the next calls of a kind, in their order. Counts before {@link #fates}. */
    private final Map<Call, Deque<Fate>> nextFates = new EnumMap<>(Call.class);

    /** What becomes of all calls of a kind. Counts before {@link #otherFate}. */
    private final Map<Call, Fate> fates = new EnumMap<>(Call.class);

    /** How many of a thousand calls of a kind have the fate of all calls of that kind; all if nothing is said. */
    private final Map<Call, Integer> shares = new EnumMap<>(Call.class);

    /** Says which calls have that fate. */
    private final SplittableRandom random = new SplittableRandom(1);

    /** What becomes of calls of a kind that has no fate of its own. */
    private Fate otherFate = Fate.ANSWERED;

    /** Stalled calls and slow answers, until {@link #resume()} lets them go on. */
    private final List<Runnable> heldUp = new ArrayList<>();

    /** Calls that have failed, until {@link #landLate()} lets them take effect. */
    private final List<Runnable> late = new ArrayList<>();

    /** How long each call and each answer is under way. */
    private Supplier<Duration> timeOfOneWay = () -> USUAL_TIME_OF_ONE_WAY;

    /** Sessions that are left out of what is read. */
    private final Set<SessionId> hiddenSessions = new HashSet<>();

    /** What reads show that need not be consistent, once they show old items; {@code null} if they do not. */
    private @Nullable Map<LockKey, LockItem> oldItems;

    private Duration storeClockAhead = Duration.ZERO;

    /** Whether answers arrive without the store's time. */
    private boolean storeTellsNoTime;

    /** The way of the process that was made last; {@code null} before the first. */
    private @Nullable Way latest;

    /** The ways of the processes of which all calls are answered. */
    private final Set<Way> spared = new HashSet<>();

    /** How many calls of each kind were sent since {@link #resetCounts()}. */
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);

    /** How many of the calls of the kind {@code READ} were consistent. */
    private int consistentReads;

    Network(VirtualTime time, InMemoryLockStore table) {
        this.time = time;
        this.table = table;
    }

    // What becomes of calls

    /** Says what becomes of the next calls of this kind. */
    public Network next(Call call, Fate fate, int times) {
        nextFates.computeIfAbsent(call, none -> new ArrayDeque<>()).addAll(Collections.nCopies(times, fate));
        return this;
    }

    /** Says what becomes of all calls of this kind, after those of which {@link #next} says more. */
    public Network always(Call call, Fate fate) {
        fates.put(call, fate);
        return this;
    }

    /** Says what becomes of this share of the calls of a kind, from 0 to 1. The others are answered. */
    public Network often(Call call, Fate fate, double share) {
        shares.put(call, (int) (1_000 * share));
        return always(call, fate);
    }

    /** Says what becomes of all calls of whose kind nothing else is said. */
    public Network always(Fate fate) {
        otherFate = fate;
        return this;
    }

    public Network alwaysExceptForHeartbeats(Fate fate) {
        return always(fate).always(Call.HEARTBEAT, Fate.ANSWERED);
    }

    /** Answers all calls from now on. Calls and answers that are held up still are. */
    public void heal() {
        nextFates.clear();
        fates.clear();
        shares.clear();
        otherFate = Fate.ANSWERED;
    }

    /** How many stalled calls and slow answers wait for {@link #resume()}. */
    public int heldUp() {
        return heldUp.size();
    }

    /** Lets all stalled calls and slow answers go on. */
    public void resume() {
        List.copyOf(heldUp).forEach(Runnable::run);
        heldUp.clear();
    }

    /**
     * Lets all calls take effect that were to land late.
     *
     * @return how many these were
     */
    public int landLate() {
        List<Runnable> landing = List.copyOf(late);
        late.clear();
        landing.forEach(Runnable::run);
        return landing.size();
    }

    // How calls travel

    /** Says how long each call and each answer is under way. */
    public void oneWayTakes(Supplier<Duration> duration) {
        timeOfOneWay = duration;
    }

    public void oneWayTakes(Duration duration) {
        oneWayTakes(() -> duration);
    }

    /** Leaves a session out of what is read. */
    public void hide(SessionId session) {
        hiddenSessions.add(session);
    }

    /** From now on, reads that need not be consistent show each item as it was when it was first read so. */
    public void readsShowOldItems() {
        oldItems = new HashMap<>();
    }

    public void setStoreClockAhead(Duration ahead) {
        storeClockAhead = ahead;
    }

    /** From now on, answers arrive without the store's time. */
    public void storeTellsNoTime() {
        storeTellsNoTime = true;
    }

    // How many calls were sent

    public int writes() {
        return count(Call.EDIT);
    }

    public int reads() {
        return count(Call.READ);
    }

    public int consistentReads() {
        return consistentReads;
    }

    public int sessionWrites() {
        return count(Call.BEGIN) + count(Call.HEARTBEAT) + count(Call.EXPIRE) + count(Call.END) + count(Call.NOTIFY);
    }

    public int sessionReads() {
        return count(Call.SESSIONS);
    }

    public int count(Call call) {
        return counts.getOrDefault(call, 0);
    }

    public void resetCounts() {
        counts.clear();
        consistentReads = 0;
    }

    /** Another process's way to the table. */
    LockStore anotherWay() {
        latest = new Way();
        return latest;
    }

    /** From now on all calls of the process that was made last are answered, whatever becomes of the others. */
    public void spareLatestProcess() {
        spared.add(Objects.requireNonNull(latest));
    }

    /** The way of one process to the table and back. */
    private final class Way implements LockStore {

        @Override
        public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now) {
            EnumSet<Call> kinds = EnumSet.of(Call.EDIT);
            if (!edit.appended().isEmpty()) {
                kinds.add(Call.APPEND);
            }
            if (edit.reissue() != null) {
                kinds.add(Call.REISSUE);
            }
            if (!edit.removed().isEmpty()) {
                kinds.add(Call.REMOVAL);
            }
            return send(kinds, () -> result(table.edit(key, edit, now)).at(storeTime()));
        }

        @Override
        public CompletionStage<Found<LockItem>> read(LockKey key, boolean consistent) {
            if (consistent) {
                consistentReads++;
            }
            return send(Call.READ, () -> {
                LockItem item = table.lock(key);
                boolean isOld = oldItems != null && !consistent;
                return new Found<>(isOld ? oldItems.computeIfAbsent(key, first -> item) : item, storeTime());
            });
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> edit(
                SessionId id, SessionEdit edit, @Nullable Instant now) {
            Call call = Call.valueOf(edit.getClass().getSimpleName().toUpperCase(Locale.ROOT));
            return send(call, () -> result(table.edit(id, edit, now)).at(storeTime()));
        }

        @Override
        public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
            return send(Call.LIST, () -> result(table.locks(key, after)));
        }

        @Override
        public CompletionStage<Found<Map<SessionId, Optional<SessionItem>>>> sessions(Set<SessionId> ids) {
            return send(Call.SESSIONS, () -> {
                Map<SessionId, Optional<SessionItem>> found =
                        new HashMap<>(result(table.sessions(ids)).content());
                found.keySet().removeAll(hiddenSessions);
                return new Found<Map<SessionId, Optional<SessionItem>>>(found, storeTime());
            });
        }

        private static <T> T result(CompletionStage<T> call) {
            return call.toCompletableFuture().join();
        }

        /** The head of an answer tells the time to the second. */
        private @Nullable Instant storeTime() {
            return storeTellsNoTime ? null : time.now().plus(storeClockAhead).truncatedTo(ChronoUnit.SECONDS);
        }

        private <T> CompletionStage<T> send(Call kind, Supplier<T> landing) {
            return send(EnumSet.of(kind), landing);
        }

        private <T> CompletionStage<T> send(EnumSet<Call> kinds, Supplier<T> landing) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            kinds.forEach(kind -> counts.merge(kind, 1, Integer::sum));
            Fate fate = spared.contains(this) ? Fate.ANSWERED : takeFate(kinds);
            time.in(timeOfOneWay.get(), () -> arrive(fate, answer, landing));
            return answer;
        }

        /** Takes the fate of a call of these kinds: that of the first kind which has one of its own. */
        private Fate takeFate(EnumSet<Call> kinds) {
            Fate first = null;
            for (Call kind : kinds) {
                Deque<Fate> next = nextFates.getOrDefault(kind, new ArrayDeque<>());
                // A call uses up the next fate of each of its kinds.
                Fate fateOfKind = next.isEmpty() ? fateOfAll(kind) : next.removeFirst();
                if (first == null) {
                    first = fateOfKind;
                }
            }
            return first == null ? otherFate : first;
        }

        private @Nullable Fate fateOfAll(Call kind) {
            Integer share = shares.get(kind);
            return share == null || random.nextInt(1_000) < share ? fates.get(kind) : Fate.ANSWERED;
        }

        @SuppressWarnings("ReturnValueIgnored") // A call may land without an answer.
        private <T> void arrive(Fate fate, CompletableFuture<T> answer, Supplier<T> landing) {
            switch (fate) {
                case ANSWERED -> answer(answer, landing.get());
                case LANDS_TWICE -> {
                    answer(answer, landing.get());
                    time.in(Duration.ofMillis(1), landing::get);
                }
                case SLOW_ANSWER -> {
                    T result = landing.get();
                    heldUp.add(() -> answer(answer, result));
                }
                case STALLED -> heldUp.add(() -> answer(answer, landing.get()));
                case LOST_ANSWER -> {
                    landing.get();
                    fail(answer, StoreFailure.Kind.UNAVAILABLE);
                }
                case LANDS_LATE -> {
                    late.add(landing::get);
                    fail(answer, StoreFailure.Kind.UNAVAILABLE);
                }
                case REFUSED_CONNECTION -> fail(answer, StoreFailure.Kind.UNAVAILABLE);
                case CONFLICTED -> fail(answer, StoreFailure.Kind.CONFLICTED);
                case THROTTLED -> fail(answer, StoreFailure.Kind.THROTTLED);
                case REFUSED -> fail(answer, StoreFailure.Kind.REFUSED);
                case DENIED -> fail(answer, StoreFailure.Kind.DENIED);
                case UNREADABLE -> fail(answer, StoreFailure.Kind.UNREADABLE);
                case UNREADABLE_ITEM -> {
                    landing.get();
                    answer.completeExceptionally(StoreFailure.unreadable(
                            new Unreadable(Unreadable.Item.SESSION, Unreadable.Reason.MALFORMED),
                            null,
                            true,
                            "the item is odd",
                            null));
                }
                case SILENT -> {}
            }
        }

        private <T> void answer(CompletableFuture<T> answer, T result) {
            time.in(timeOfOneWay.get(), () -> answer.complete(result));
        }

        private static void fail(CompletableFuture<?> answer, StoreFailure.Kind kind) {
            answer.completeExceptionally(new StoreFailure(kind, "connection refused", null));
        }
    }
}
