package io.dynamolock;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.registry.AdoptableLock;
import io.dynamolock.internal.registry.SeveralLocks;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/** Grants everything, unless told otherwise, and remembers what it was asked. In this package to make exceptions. */
public final class FakeLockRegistry implements LockRegistry {

    public final List<LockRequest> requests = new CopyOnWriteArrayList<>();
    public final List<FakeHandle> handles = new CopyOnWriteArrayList<>();
    public volatile boolean timesOut;
    public volatile Predicate<LockRequest> timesOutFor = request -> false;
    /** As a mock does that was not told otherwise. */
    public volatile boolean answersNull;

    /** Those who ask without blocking, until {@link #grantNext()}. */
    public volatile boolean holdsBack;

    public final List<Waiting> waiting = new CopyOnWriteArrayList<>();

    /** The sets that were asked for at once. */
    public final List<List<LockRequest>> together = new CopyOnWriteArrayList<>();

    private final ThreadLocal<Map<LockKey, Entered>> ofThread = ThreadLocal.withInitial(HashMap::new);

    public volatile boolean closed;
    public volatile Optional<LockTable> table = Optional.empty();
    public volatile Runnable onRelease = () -> {};

    /** Until then, no release that does not block has an answer. */
    public volatile CompletableFuture<?> mayRelease = CompletableFuture.completedFuture(null);

    public LockRequest onlyRequest() {
        if (requests.size() != 1) {
            throw new AssertionError("expected one request, but there were " + requests);
        }
        return requests.get(0);
    }

    public FakeHandle lastHandle() {
        return handles.get(handles.size() - 1);
    }

    /** An operator takes everybody out of the queue. */
    public volatile boolean evicts;

    private LockEvictedException evicted(LockRequest request) {
        return new LockEvictedException(
                request.key(),
                request.namespace(),
                request.name(),
                request.waitTime().orElseThrow());
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        requests.add(request);
        if (evicts) {
            throw evicted(request);
        }
        if (timesOut || timesOutFor.test(request)) {
            throw timeout(request);
        }
        return answersNull ? null : grant(request);
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        requests.add(request);
        if (evicts) {
            throw evicted(request);
        }
        if (answersNull) {
            return null;
        }
        return timesOut || timesOutFor.test(request) ? Optional.empty() : Optional.of(grant(request));
    }

    private FakeHandle grant(LockRequest request) {
        FakeHandle handle = new FakeHandle(request, handles.size() + 1);
        handles.add(handle);
        return handle;
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        requests.add(request);
        if (evicts) {
            return CompletableFuture.failedFuture(evicted(request));
        }
        if (answersNull) {
            return null;
        }
        if (timesOut || timesOutFor.test(request)) {
            return CompletableFuture.failedFuture(timeout(request));
        }
        CompletableFuture<LockHandle> future = new CompletableFuture<>();
        waiting.add(new Waiting(request, future));
        if (!holdsBack) {
            grantNext();
        }
        return future;
    }

    /** To whoever waits the longest, on the calling thread. @return false if that caller has left */
    public boolean grantNext() {
        Waiting next = waiting.remove(0);
        return !next.future().isDone() && next.future().complete(grant(next.request()));
    }

    /** One that asked without blocking. */
    public record Waiting(LockRequest request, CompletableFuture<LockHandle> future) {}

    @Override
    public List<LockHandle> acquireAll(Collection<LockRequest> wanted) {
        together.add(List.copyOf(wanted));
        List<LockHandle> held = new ArrayList<>();
        try {
            wanted.forEach(request -> held.add(acquire(request)));
        } catch (LockTimeoutException e) {
            held.forEach(LockHandle::close);
            throw e;
        }
        return held;
    }

    @Override
    public CompletableFuture<List<LockHandle>> acquireAllAsync(Collection<LockRequest> wanted) {
        together.add(List.copyOf(wanted));
        return new SeveralLocks(
                        List.copyOf(wanted),
                        LockRequest.FOREVER,
                        TimeSource.system(),
                        Runnable::run,
                        (request, notWanted) -> acquireAsync(request))
                .acquire();
    }

    /** Knows what each thread has adopted, and no more. */
    @Override
    public AdoptableLock lock(LockRequest request) {
        if (answersNull) {
            return null;
        }
        Map<LockKey, Entered> held = ofThread.get();
        LockKey key = new LockKey(request.key(), request.namespace());
        return StandIn.of(AdoptableLock.class, (method, arguments) -> switch (method) {
            case "handle" -> Optional.ofNullable(held.get(key)).map(entered -> entered.handle);
            case "adopt" -> {
                held.put(key, new Entered((LockHandle) arguments[0]));
                yield null;
            }
            case "lock" -> {
                held.get(key).count++;
                yield null;
            }
            case "disown" -> {
                held.remove(key);
                yield null;
            }
            case "unlock" -> {
                if (--held.get(key).count == 0) {
                    held.remove(key).handle.close();
                }
                yield null;
            }
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private static final class Entered {

        final LockHandle handle;
        int count = 1;

        Entered(LockHandle handle) {
            this.handle = handle;
        }
    }

    private static LockTimeoutException timeout(LockRequest request) {
        return new LockTimeoutException(
                request.key(),
                request.namespace(),
                "Did not get the lock \"" + request.key() + "\"",
                request.waitTime().orElseThrow(),
                4,
                null,
                null);
    }

    @Override
    public LockAdmin admin() {
        return StandIn.of(LockAdmin.class, (method, arguments) -> switch (method) {
            case "held" -> held();
            case "waiting" -> 7;
            case "waiters" -> List.of();
            case "table" -> table;
            case "session", "clockProblem" -> Optional.empty();
            default -> throw new UnsupportedOperationException(method);
        });
    }

    @Override
    public LeaderElection elect(String name, LeaderListener listener) {
        throw new UnsupportedOperationException();
    }

    public List<LockAdmin.Held> held() {
        return handles.stream()
                .filter(LockHandle::isValid)
                .map(handle -> new LockAdmin.Held(
                        handle.key(), handle.namespace(), "name", handle.fencingToken(), java.time.Instant.EPOCH, ""))
                .toList();
    }

    @Override
    public void close() {
        closed = true;
    }

    /** A handle that can be lost. */
    public final class FakeHandle implements LockHandle {

        private final LockRequest request;
        private final long fencingToken;
        private final List<Runnable> callbacks = new ArrayList<>();
        private boolean lost;
        private boolean released;

        FakeHandle(LockRequest request, long fencingToken) {
            this.request = request;
            this.fencingToken = fencingToken;
        }

        /** Tells on the calling thread. */
        public void lose() {
            List<Runnable> told;
            synchronized (this) {
                lost = true;
                told = List.copyOf(callbacks);
            }
            told.forEach(Runnable::run);
        }

        /** Without a word to anybody, as when a process stood still. */
        public synchronized void loseUntold() {
            lost = true;
        }

        public synchronized boolean isReleased() {
            return released;
        }

        public synchronized int callbacks() {
            return callbacks.size();
        }

        @Override
        public String key() {
            return request.key();
        }

        @Override
        public String namespace() {
            return request.namespace();
        }

        @Override
        public long fencingToken() {
            return fencingToken;
        }

        @Override
        public synchronized boolean isValid() {
            return !lost && !released;
        }

        @Override
        public Duration remainingValidity() {
            return isValid() ? Duration.ofSeconds(15) : Duration.ZERO;
        }

        @Override
        public void ensureValid() {
            if (!isValid()) {
                throw new LockLostException(this, "was lost.", null);
            }
        }

        @Override
        public Duration held() {
            return Duration.ZERO;
        }

        @Override
        public void extendBy(Duration extension) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setMaxHold(Duration maxHold) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setHoldAtLeast(Duration holdAtLeast) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ConditionCheck fence() {
            throw new UnsupportedOperationException();
        }

        @Override
        public LockData data() {
            return LockData.EMPTY;
        }

        @Override
        public void putData(LockData data) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> putDataAsync(LockData data) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onExpiring(Duration before, Runnable callback) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean release(LockData left) {
            return release();
        }

        @Override
        public CompletableFuture<Boolean> releaseAsync(LockData left) {
            return releaseAsync();
        }

        @Override
        public synchronized void onLost(Runnable callback) {
            callbacks.add(callback);
        }

        @Override
        public synchronized boolean release() {
            if (!released) {
                released = true;
                onRelease.run();
            }
            return !lost;
        }

        @Override
        public CompletableFuture<Boolean> releaseAsync() {
            boolean released = release();
            return mayRelease.thenApply(now -> released);
        }

        @Override
        public void close() {
            release();
        }
    }
}
