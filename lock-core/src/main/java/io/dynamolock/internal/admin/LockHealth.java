package io.dynamolock.internal.admin;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockAdmin.StoreTrouble;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockPausedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTable;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether this process can get locks, by how the calls end that locks need: beginnings of sessions, heartbeats
 * and edits. Only while there is neither a session nor trouble, it reads a lock that nobody takes, so that the check
 * works before the process uses any lock. Where the latest call of a step has failed and nobody tries the step any
 * more, the check tries it by taking that lock: so a failure without a caller is found to last, or to be over. Failures
 * count when there were several in a row, over some seconds: a moment of trouble at DynamoDB must not take all
 * instances of an application away at once. Throttling and a wrong clock are shown, but cost the process no lock. A
 * registry that locks nothing is neither up nor down. Not for liveness probes, because a restart does not repair a
 * table. Thread-safe.
 *
 * <p>Each generation of Spring Boot has its own types for health, to which a {@link Verdict} is translated.
 */
public final class LockHealth {

    /** Named like the statuses of Spring Boot. */
    public enum Status {
        UP,
        DOWN,
        UNKNOWN
    }

    /**
     * What is known at one moment.
     *
     * @param details by their names, in the order in which to show them
     * @param failure what the last read of the table threw; null unless the read failed and decides the status
     */
    public record Verdict(
            Status status,
            Map<String, Object> details,
            @Nullable Throwable failure) {

        public Verdict {
            details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        }
    }

    /** The steps without which nobody gets a lock; a process takes them only for a caller. */
    private static final Set<String> FOR_CALLERS = Set.of(EngineListener.BEGINNING, "edit");

    /** The lock that is read and taken. No application takes it; checks of other processes may. */
    private static final LockRequest OF_CHECKS = LockRequest.of("health")
            .namespace("dynamolock-health")
            .name("dynamolock-health")
            .caller("health check");

    private static final int FAILURES_IN_A_ROW = 3;
    private static final Duration LASTING = Duration.ofSeconds(5);

    /** When the latest failure of a step for callers is older, nobody tries the step any more. */
    private static final Duration UNTRIED = Duration.ofSeconds(5);

    /** Shortest time from a question that failed to the next. */
    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(1);

    private final LockRegistry locks;
    private final LongSupplier nanoTime;
    private final Duration interval;
    private final Duration patience;

    private final AtomicLong questions = new AtomicLong();

    /** The last question to the table, perhaps still unanswered; null before the first. Guarded by this. */
    private @Nullable CompletableFuture<Answer> question;

    /** When the last question was asked, by {@link #nanoTime}; without meaning before the first. Guarded by this. */
    private long askedAt;

    /** The last answer of the table, shown while it is silent. Set by each answer. */
    private volatile Answer lastAnswer = new Answer.Silence();

    /** What a question to the table came to. */
    private sealed interface Answer {

        /** There was none yet. */
        record Silence() implements Answer {}

        record Given() implements Answer {}

        record SwitchedOff() implements Answer {}

        record Closed() implements Answer {}

        /**
         * @param inARow number of questions that failed one after the other, with this one
         * @param first when the first of them was asked, by {@link #nanoTime}
         * @param wasUp whether the question before them was answered
         */
        record Failed(Throwable failure, int inARow, long first, boolean wasUp) implements Answer {}
    }

    /** Asks the table once in ten seconds at most, and waits a second for the answer. */
    public static LockHealth of(LockRegistry locks) {
        return new LockHealth(locks, TimeSource.system()::nanos, Duration.ofSeconds(10), Duration.ofSeconds(1));
    }

    /**
     * @param nanoTime as {@link System#nanoTime}
     * @param interval shortest time from one question to the table to the next, unless the last one failed
     * @param patience how long to wait for an answer of the table before the last answer is shown instead
     */
    public LockHealth(LockRegistry locks, LongSupplier nanoTime, Duration interval, Duration patience) {
        this.locks = locks;
        this.nanoTime = nanoTime;
        this.interval = interval;
        this.patience = patience;
    }

    /** May wait for an answer of the table, but never longer than the patience given to the constructor. */
    public Verdict judge() {
        LockAdmin admin = locks.admin();
        Draft draft = new Draft();
        draft.details.put("table", admin.table().map(LockTable::name).orElse("none, other processes are not excluded"));
        draft.details.put(
                "session",
                admin.session().<Object>map(LockHealth::withoutPersonalData).orElse("idle"));
        draft.details.put("held", admin.held().size());
        draft.details.put("waiting", admin.waiting());
        judge(admin, draft);
        // After the answer: the read for it has compared the clocks.
        admin.clockProblem().ifPresent(problem -> draft.details.put("clock", problem));
        return new Verdict(draft.status, draft.details, draft.failure);
    }

    /** Where messages hide the names of processes, health does, too: it may be open to people without an account. */
    private static LockAdmin.Session withoutPersonalData(LockAdmin.Session session) {
        return new LockAdmin.Session(
                session.id(),
                PersonalText.shown(session.owner()),
                session.since(),
                session.lastHeartbeat(),
                session.remaining());
    }

    private void judge(LockAdmin admin, Draft draft) {
        List<StoreTrouble> all = admin.storeTroubles();
        if (all.stream().anyMatch(LockHealth::isUntried)) {
            // Not awaited: what it comes to shows in the troubles of the next check.
            ask(this::takeLock);
        }
        List<StoreTrouble> troubles = all.stream().filter(LockHealth::counts).toList();
        List<StoreTrouble> failures =
                troubles.stream().filter(trouble -> !isThrottled(trouble)).toList();
        if (!failures.isEmpty()) {
            draft.problem(
                    Status.DOWN,
                    "Calls that locks need fail: " + inWords(failures)
                            + ". Locks that are held stay valid until their lease is over.",
                    "Check the network, the endpoint, the credentials and their permissions, and that the table exists; the"
                            + " messages say which. It becomes UP by itself.");
        } else if (!troubles.isEmpty()) {
            draft.status = Status.UP;
            draft.details.put("throttled", "DynamoDB throttles calls that locks need: " + inWords(troubles));
            draft.details.put("action", "See dynamolock.throttled for the reason. Locks are slow, and none is lost.");
        } else if (admin.session().isPresent()) {
            draft.status = Status.UP;
        } else {
            show(
                    ask(this::readLock)
                            .copy()
                            .completeOnTimeout(lastAnswer, patience.toNanos(), TimeUnit.NANOSECONDS)
                            .join(),
                    draft);
        }
    }

    private static boolean counts(StoreTrouble trouble) {
        boolean isNeeded =
                FOR_CALLERS.contains(trouble.operation()) || trouble.operation().equals(EngineListener.HEARTBEAT);
        return isNeeded
                && trouble.failures() >= FAILURES_IN_A_ROW
                && trouble.sinceFirst().compareTo(LASTING) >= 0;
    }

    private static boolean isUntried(StoreTrouble trouble) {
        return FOR_CALLERS.contains(trouble.operation())
                && trouble.sinceLatest().compareTo(UNTRIED) >= 0;
    }

    private static boolean isThrottled(StoreTrouble trouble) {
        return trouble.kind().equals("throttled");
    }

    private static String inWords(List<StoreTrouble> troubles) {
        return troubles.stream()
                .map(trouble -> "'" + trouble.operation() + "' " + trouble.failures()
                        + " times in a row, the last time: " + trouble.message())
                .collect(Collectors.joining("; "));
    }

    /**
     * The answer to the last question, if that is under way or new enough; else the answer to this question, which is
     * asked on another thread.
     */
    private synchronized CompletableFuture<Answer> ask(Runnable asking) {
        long now = nanoTime.getAsLong();
        Duration pause = lastAnswer instanceof Answer.Failed ? AFTER_A_FAILURE : interval;
        if (question == null || question.isDone() && now - askedAt > pause.toNanos()) {
            askedAt = now;
            Answer before = lastAnswer;
            question = CompletableFuture.supplyAsync(() -> answer(asking, before, now), this::onThreadOfItsOwn)
                    .whenComplete((answer, never) -> lastAnswer = answer);
        }
        return question;
    }

    private void readLock() {
        locks.admin().inspect(OF_CHECKS.key(), OF_CHECKS.namespace());
    }

    /** If the check of another process holds the lock, the calls have been answered all the same. */
    private void takeLock() {
        locks.tryAcquire(OF_CHECKS).ifPresent(LockHandle::close);
    }

    private static Answer answer(Runnable asking, Answer before, long now) {
        try {
            asking.run();
            return new Answer.Given();
        } catch (UnsupportedOperationException noTable) {
            return new Answer.SwitchedOff();
        } catch (LockClosedException closed) {
            return new Answer.Closed();
        } catch (LockPausedException notAsked) {
            return before;
        } catch (Throwable failure) {
            return before instanceof Answer.Failed row
                    ? new Answer.Failed(failure, row.inARow() + 1, row.first(), row.wasUp())
                    : new Answer.Failed(failure, 1, now, before instanceof Answer.Given);
        }
    }

    /** A daemon thread that inherits nothing but the class loader. */
    private void onThreadOfItsOwn(Runnable question) {
        Thread thread = new Thread(null, question, "dynamolock-health-" + questions.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
    }

    private void show(Answer answer, Draft draft) {
        if (answer instanceof Answer.Given) {
            draft.status = Status.UP;
        } else if (answer instanceof Answer.SwitchedOff) {
            draft.problem(
                    Status.UNKNOWN,
                    "Locks are switched off in this process: every lock is granted at once, and nobody is excluded.",
                    "Unless this is meant, remove dynamolock.enabled=false, or DYNAMOLOCK_ENABLED from the environment.");
        } else if (answer instanceof Answer.Closed) {
            draft.problem(
                    Status.DOWN, "The lock registry is closed.", "Restart the application, unless it is stopping.");
        } else if (answer instanceof Answer.Failed failed) {
            show(failed, draft);
        } else {
            draft.problem(Status.UNKNOWN, "The table has not answered yet.", "Ask again in a few seconds.");
        }
    }

    private void show(Answer.Failed failed, Draft draft) {
        boolean isLasting =
                failed.inARow() >= FAILURES_IN_A_ROW && nanoTime.getAsLong() - failed.first() >= LASTING.toNanos();
        draft.failure = failed.failure();
        draft.problem(
                isLasting ? Status.DOWN : failed.wasUp() ? Status.UP : Status.UNKNOWN,
                isLasting
                        ? "The table cannot be read, so no lock can be had."
                        : "The table could not be read the last time. It is DOWN if this goes on for some seconds.",
                "Check the network, the endpoint, the credentials and their permissions, and that the table exists; the"
                        + " error says which. It becomes UP by itself.");
    }

    /** A verdict that one thread is still writing. */
    private static final class Draft {

        private final Map<String, Object> details = new LinkedHashMap<>();

        /** What the details found so far come to. */
        private Status status = Status.UNKNOWN;

        private @Nullable Throwable failure;

        private void problem(Status status, String problem, String action) {
            this.status = status;
            details.put("problem", problem);
            details.put("action", action);
        }
    }
}
