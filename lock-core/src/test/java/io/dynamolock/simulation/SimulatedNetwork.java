package io.dynamolock.simulation;

import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The way between all processes and the table, and all that happens on it. */
final class SimulatedNetwork {

    /** Takes effect at the table. */
    interface Landing<T> {

        Landed<T> land();
    }

    /** @param heard runs just before the client has the answer */
    record Landed<T>(T answer, Runnable heard) {}

    /** What is wrong with one process's link. */
    private static final class Weather {

        private long slowUntil = -1;
        private long cutFrom = -1;
        private long cutUntil = -1;
        private long deafUntil = -1;
        private boolean silent;
        private long brownUntil = -1;
        private Set<StoreOperation> brown = EnumSet.noneOf(StoreOperation.class);
    }

    private final VirtualTime time;
    private final SplittableRandom random;
    private final Faults faults;
    private final History history;
    private final Counts counts;
    private final long lease;
    private final long usual;
    private final Map<String, Weather> weathers = new HashMap<>();
    private long outageUntil = -1;
    private int travelling;

    SimulatedNetwork(
            VirtualTime time, SplittableRandom random, Faults faults, History history, Counts counts, Duration lease) {
        this.time = time;
        this.random = random;
        this.faults = faults;
        this.history = history;
        this.counts = counts;
        this.lease = lease.toNanos();
        this.usual = millis(random.nextInt(4) == 0 ? 20 : 4);
    }

    private static long millis(long count) {
        return count * 1_000_000;
    }

    long nanos() {
        return time.nanos();
    }

    /** How many requests are still to land. */
    int travelling() {
        return travelling;
    }

    // What goes wrong

    void slow(String process, Duration span) {
        weather(process).slowUntil = time.nanos() + span.toNanos();
    }

    void cutOff(String process, Duration span, boolean silent) {
        Weather weather = weather(process);
        weather.cutFrom = time.nanos();
        weather.cutUntil = time.nanos() + span.toNanos();
        weather.silent = silent;
    }

    void deafen(String process, Duration span) {
        weather(process).deafUntil = time.nanos() + span.toNanos();
    }

    void brownOut(String process, Duration span, Set<StoreOperation> operations) {
        weather(process).brownUntil = time.nanos() + span.toNanos();
        weather(process).brown = operations;
    }

    void outage(Duration span) {
        outageUntil = time.nanos() + span.toNanos();
    }

    /** From now on every request arrives and is answered; what is under way stays so. */
    void heal() {
        weathers.clear();
        outageUntil = -1;
    }

    private Weather weather(String process) {
        return weathers.computeIfAbsent(process, absent -> new Weather());
    }

    /** How much older than the present the answer to an eventually consistent look is. */
    Duration staleness() {
        if (!faults.isStale()) {
            return Duration.ZERO;
        }
        faults.struck(FaultKind.STALE_LOOK);
        return Duration.ofNanos(random.nextLong(random.nextInt(4) == 0 ? millis(5_000) : millis(300)));
    }

    // The way of a call

    <T> CompletionStage<T> send(StoreCall call, Landing<T> landing) {
        call.link.referee().sent(call);
        counts.add("store calls");
        CompletableFuture<T> answer = new CompletableFuture<>();
        Weather weather = weather(call.process());
        long now = time.nanos();
        if (now < outageUntil || (now >= weather.cutFrom && now < weather.cutUntil)) {
            counts.add("calls cut off");
            if (!weather.silent) {
                fail(call, answer, StoreFailure.Kind.UNAVAILABLE, "cut off", oneWay(call));
            }
            return answer;
        }
        if (now < weather.brownUntil && weather.brown.contains(call.operation)) {
            fail(call, answer, StoreFailure.Kind.UNAVAILABLE, "brown-out", oneWay(call));
            return answer;
        }
        FaultKind fault = faults.forCall(call.operation);
        if (fault == FaultKind.TWICE && call.operation == StoreOperation.BEGIN_SESSION) {
            fault = null;
        }
        if (fault != null) {
            faults.struck(fault);
            history.add(call.process(), with(call.what(), "<-", fault));
        }
        long there = oneWay(call);
        if (fault == null) {
            land(call, landing, answer, there, true, 0);
            return answer;
        }
        switch (fault) {
            case THROTTLED -> fail(call, answer, StoreFailure.Kind.THROTTLED, fault, there);
            case REFUSED -> fail(call, answer, StoreFailure.Kind.REFUSED, fault, there);
            case LOST_REQUEST -> {}
            case RESET_BEFORE -> fail(call, answer, StoreFailure.Kind.UNAVAILABLE, fault, there);
            case LOST_ANSWER -> land(call, landing, answer, there, false, 0);
            case RESET_AFTER -> {
                land(call, landing, answer, there, false, 0);
                fail(call, answer, StoreFailure.Kind.UNAVAILABLE, fault, there + oneWay(call));
            }
            case LATE -> land(call, landing, answer, there + lateness(), true, 0);
            case LATE_AFTER_RESET -> {
                fail(call, answer, StoreFailure.Kind.UNAVAILABLE, fault, there);
                land(call, landing, answer, there + lateness(), false, 0);
            }
            case TWICE -> {
                land(call, landing, answer, there, true, 0);
                land(call, landing, answer, there + lateness(), false, 0);
            }
            case SLOW_ANSWER -> land(call, landing, answer, there, true, random.nextLong(lease / 2));
            default -> land(call, landing, answer, there, true, 0);
        }
        return answer;
    }

    /** Mostly while the client still waits, often soon after, and sometimes minutes later. */
    private long lateness() {
        return random.nextLong(
                switch (random.nextInt(6)) {
                    case 0, 1 -> lease / 5;
                    case 2, 3 -> lease;
                    case 4 -> 3 * lease;
                    default -> 12 * lease;
                });
    }

    private long oneWay(StoreCall call) {
        long way = usual / 4 + random.nextLong(usual);
        if (time.nanos() < weather(call.process()).slowUntil) {
            return way + random.nextLong(lease / 6);
        }
        return random.nextInt(100) == 0 ? way * 4 : way;
    }

    private <T> void land(
            StoreCall call,
            Landing<T> landing,
            CompletableFuture<T> answer,
            long there,
            boolean answered,
            long answerTakes) {
        if (there > call.link.referee().patience(call).toNanos() / 2) {
            call.link.client().later(call::end, call.link.referee().patience(call));
        }
        travelling++;
        after(there, () -> {
            travelling--;
            call.lands();
            Landed<T> landed = landing.land();
            if (call.operation.isWrite() || call.isLate()) {
                history.add(call.process(), with(call.what(), call.isLate() ? "LATE =>" : "=>", landed.answer()));
            }
            if (answered) {
                after(oneWay(call) + answerTakes, () -> deliver(call, answer, landed));
            }
        });
    }

    private <T> void deliver(StoreCall call, CompletableFuture<T> answer, Landed<T> landed) {
        Weather weather = weathers.get(call.process());
        long now = time.nanos();
        boolean lost = weather != null && (now < weather.deafUntil || now >= weather.cutFrom && now < weather.cutUntil);
        if (!lost && !call.link.client().isDead()) {
            call.end();
            call.link.referee().answered(call, landed.answer());
            landed.heard().run();
            answer.complete(landed.answer());
        }
    }

    private <T> void fail(StoreCall call, CompletableFuture<T> answer, StoreFailure.Kind kind, Object why, long takes) {
        after(takes, () -> {
            call.end();
            if (!call.link.client().isDead()) {
                answer.completeExceptionally(call.link.failure(kind, why));
            }
        });
    }

    private void after(long nanos, Runnable step) {
        time.schedule(step, Duration.ofNanos(nanos));
    }

    private static Object[] with(Object[] what, Object... more) {
        Object[] all = Arrays.copyOf(what, what.length + more.length);
        System.arraycopy(more, 0, all, what.length, more.length);
        return all;
    }
}
