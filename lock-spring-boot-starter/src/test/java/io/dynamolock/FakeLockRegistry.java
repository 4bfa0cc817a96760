package io.dynamolock;

import io.dynamolock.protocol.LockData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/** Grants everything, unless told otherwise, and remembers what it was asked. In this package to make exceptions. */
public final class FakeLockRegistry implements LockRegistry {

    public final List<LockRequest> requests = new CopyOnWriteArrayList<>();
    public final List<FakeHandle> handles = new CopyOnWriteArrayList<>();
    public volatile boolean timesOut;
    /** As a mock does that was not told otherwise. */
    public volatile boolean answersNull;

    public volatile boolean closed;
    public volatile Optional<LockTable> table = Optional.empty();
    public volatile Runnable onRelease = () -> {};

    public LockRequest onlyRequest() {
        if (requests.size() != 1) {
            throw new AssertionError("expected one request, but there were " + requests);
        }
        return requests.get(0);
    }

    public FakeHandle lastHandle() {
        return handles.get(handles.size() - 1);
    }

    @Override
    public Optional<LockTable> table() {
        return table;
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        requests.add(request);
        if (timesOut) {
            throw new LockTimeoutException(
                    request.key(), request.namespace(), request.waitTime().orElseThrow(), 3, null);
        }
        return answersNull ? null : grant(request);
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        requests.add(request);
        if (answersNull) {
            return null;
        }
        return timesOut ? Optional.empty() : Optional.of(grant(request));
    }

    private FakeHandle grant(LockRequest request) {
        FakeHandle handle = new FakeHandle(request, handles.size() + 1);
        handles.add(handle);
        return handle;
    }

    @Override
    public LockHandle acquire(String key, Duration wait) {
        return acquire(LockRequest.of(key).wait(wait));
    }

    @Override
    public Optional<LockHandle> tryAcquire(String key) {
        return tryAcquire(LockRequest.of(key));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T withLock(String key, Duration wait, Callable<T> action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void withLock(String key, Duration wait, Runnable action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Lock lock(String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LeaderElection elect(String name, LeaderListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setPermits(String key, int permits) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockSnapshot inspect(String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockSnapshot inspect(String key, String namespace) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Stream<LockSnapshot> list(String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Stream<LockSnapshot> listAll() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<HeldLock> held() {
        return handles.stream()
                .filter(LockHandle::isValid)
                .map(handle -> new HeldLock(
                        handle.key(), handle.namespace(), "name", handle.fencingToken(), java.time.Instant.EPOCH))
                .toList();
    }

    @Override
    public int waiting() {
        return 7;
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
                throw new LockLostException(key(), namespace(), fencingToken, "was lost.");
            }
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
            return CompletableFuture.completedFuture(release());
        }

        @Override
        public void close() {
            release();
        }
    }
}
