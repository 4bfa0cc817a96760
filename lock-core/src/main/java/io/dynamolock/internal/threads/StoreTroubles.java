package io.dynamolock.internal.threads;

import io.dynamolock.LockAdmin;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The steps of the protocol whose latest calls have all failed. A failure that tells nothing about the store itself
 * counts for nothing: a conflict with a fenced write, or an item that cannot be read. Thread-safe.
 */
public final class StoreTroubles {

    /**
     * Failures in a row of one step.
     *
     * @param count number of failures, 1 or more
     * @param first when the first of them came
     * @param latest when the latest came
     * @param failure the latest
     */
    private record Row(long count, Moment first, Moment latest, StoreFailure failure) {}

    /**
     * The failures in a row, by operation. An answer removes its operation, and the loss of a session the heartbeats.
     * As many as the protocol has steps.
     */
    private final Map<String, Row> rows = new ConcurrentHashMap<>();

    private final TimeSource time;

    /** Whether a session has begun that is not lost. A heartbeat may fail after the loss of its session. */
    private volatile boolean hasSession;

    StoreTroubles(TimeSource time) {
        this.time = time;
    }

    void answered(String operation) {
        rows.remove(operation);
    }

    void sessionStarted() {
        hasSession = true;
    }

    /** Without a session nobody sends heartbeats, so no answer would end their trouble. */
    void sessionLost() {
        hasSession = false;
        rows.remove(EngineListener.HEARTBEAT);
    }

    void failed(String operation, StoreFailure failure) {
        if (operation.equals(EngineListener.HEARTBEAT) && !hasSession) {
            return;
        }
        switch (failure.kind()) {
            case CONFLICTED, UNREADABLE -> {}
            default -> {
                Moment now = time.moment();
                rows.merge(
                        operation,
                        new Row(1, now, now, failure),
                        (row, next) -> new Row(row.count() + 1, row.first(), next.latest(), next.failure()));
            }
        }
    }

    /** The troubles that are not over, in no particular order. */
    public List<LockAdmin.StoreTrouble> present() {
        Moment now = time.moment();
        return rows.entrySet().stream()
                .map(step -> {
                    Row row = step.getValue();
                    return new LockAdmin.StoreTrouble(
                            step.getKey(),
                            row.failure().kind().name().toLowerCase(Locale.ROOT),
                            row.count(),
                            now.since(row.first()),
                            now.since(row.latest()),
                            String.valueOf(row.failure().getMessage()));
                })
                .toList();
    }
}
