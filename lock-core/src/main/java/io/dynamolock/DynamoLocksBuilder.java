package io.dynamolock;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.PausableEngine;
import io.dynamolock.internal.ThisProcess;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.PooledEventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link LockRegistry}. Every setting has a default that suits most; {@link #build()} refuses settings that do
 * not go together and says what to change. All processes that share a table should use the same settings. Not
 * thread-safe.
 */
public final class DynamoLocksBuilder {

    private static final Duration LONGEST_DEFAULT_HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration LONGEST_DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration LONGEST_DEFAULT_POLL = Duration.ofSeconds(1);

    private final @Nullable DynamoDbConnection dynamoDb;
    private final @Nullable LockStore givenStore;

    private final TableOptions table = new TableOptions();
    private final List<LockListener> listeners = new ArrayList<>();
    private RegistrySurroundings surroundings = new RegistrySurroundings() {};
    private @Nullable Executor executor;

    private Duration retention = Duration.ofDays(7);
    private Duration lease = Duration.ofSeconds(20);
    private @Nullable Duration heartbeat;
    private @Nullable Duration driftMargin;
    private Duration pollMin = Duration.ofMillis(10);
    private @Nullable Duration pollMax;
    private Duration lockDelay = Duration.ZERO;
    private Duration maxClockSkew = Duration.ofMinutes(5);
    private @Nullable Duration callTimeout;
    private int maxCallsInFlight = 32;
    private int maxQueue = 200;
    private @Nullable String application;
    private @Nullable String owner;

    /** One of them is given. */
    DynamoLocksBuilder(@Nullable DynamoDbConnection dynamoDb, @Nullable LockStore givenStore) {
        this.dynamoDb = dynamoDb;
        this.givenStore = givenStore;
    }

    /** The table the locks live in, by default {@code dynamo-locks}: 3 to 255 of {@code a-z A-Z 0-9 _ . -}, or its ARN. */
    public DynamoLocksBuilder tableName(String tableName) {
        table.name = Objects.requireNonNull(tableName, "tableName");
        return this;
    }

    /**
     * Put before every partition key, so that locks can live in a table with other items; by default empty. Its bytes
     * of UTF-8, at most 1,024, are missing from the 2,048 that a key may have.
     */
    public DynamoLocksBuilder keyPrefix(String keyPrefix) {
        table.keyPrefix = Objects.requireNonNull(keyPrefix, "keyPrefix");
        return this;
    }

    /** The name of the table's partition key, by default {@code pk}. */
    public DynamoLocksBuilder partitionKeyAttribute(String partitionKeyAttribute) {
        table.partitionKey = Objects.requireNonNull(partitionKeyAttribute, "partitionKeyAttribute");
        return this;
    }

    /** The name of the table's sort key, by default {@code sk}. */
    public DynamoLocksBuilder sortKeyAttribute(String sortKeyAttribute) {
        table.sortKey = Objects.requireNonNull(sortKeyAttribute, "sortKeyAttribute");
        return this;
    }

    /** The attribute by which DynamoDB's TTL removes items that are not used any more, by default {@code expiresAt}. */
    public DynamoLocksBuilder ttlAttribute(String ttlAttribute) {
        table.ttl = Objects.requireNonNull(ttlAttribute, "ttlAttribute");
        return this;
    }

    /** The attribute of a lock's item that has the user's data, by default {@code data}. */
    public DynamoLocksBuilder dataAttribute(String dataAttribute) {
        table.data = Objects.requireNonNull(dataAttribute, "dataAttribute");
        return this;
    }

    /** Whether all processes lock in one region, so that {@link LockTable#check()} passes any global table; by default false. */
    public DynamoLocksBuilder singleRegion(boolean singleRegion) {
        table.singleRegion = singleRegion;
        return this;
    }

    /**
     * How long an unused lock's item stays in the table, by default 7 days; from 1 hour to 3,650 days, and longer than
     * {@code lease + lockDelay + maxClockSkew}.
     */
    public DynamoLocksBuilder retention(Duration retention) {
        this.retention = Objects.requireNonNull(retention, "retention");
        return this;
    }

    /**
     * How long the locks of this process survive without a heartbeat, by default 20 s; from 500 ms to 1 day. After a
     * crash others wait that long. A process that is frozen or cut off for longer loses its locks, and is told.
     */
    public DynamoLocksBuilder lease(Duration lease) {
        this.lease = Objects.requireNonNull(lease, "lease");
        return this;
    }

    /**
     * The interval between heartbeats: one write each, however many locks are held. By default a quarter of the lease,
     * but not more than 5 s; from 1 ms to a third of the lease.
     */
    public DynamoLocksBuilder heartbeat(Duration heartbeat) {
        this.heartbeat = Objects.requireNonNull(heartbeat, "heartbeat");
        return this;
    }

    /**
     * How much earlier than its lease this process gives up its own locks, against clocks that run at different speeds.
     * By default a twentieth of the lease; from 1 ms to a quarter of it.
     */
    public DynamoLocksBuilder driftMargin(Duration driftMargin) {
        this.driftMargin = Objects.requireNonNull(driftMargin, "driftMargin");
        return this;
    }

    /**
     * The time from one read of a lock to the next while another process is ahead: {@code min} for the next in line; further
     * back, or behind a long hold, longer, but at most {@code max}, and never more than a quarter of what is left of the
     * shortest wait. A read that is not answered yet delays the next one. A process that finds the {@linkplain #maxQueue queue full} reads as if it stood behind all of
     * it. {@code docs/protocol.md} has the rule.
     *
     * @param min by default 10 ms; at least 1 ms
     * @param max by default 1 s, or the lease if that is shorter; from {@code min} to the lease
     */
    public DynamoLocksBuilder pollInterval(Duration min, Duration max) {
        this.pollMin = Objects.requireNonNull(min, "min");
        this.pollMax = Objects.requireNonNull(max, "max");
        return this;
    }

    /**
     * How much longer than its lease a silent process is left alone before its locks pass on, for work that it may have
     * sent out before; by default zero, at most 1 day.
     */
    public DynamoLocksBuilder lockDelay(Duration lockDelay) {
        this.lockDelay = Objects.requireNonNull(lockDelay, "lockDelay");
        return this;
    }

    /**
     * How far the wall clocks of processes may be apart; zero, or from 10 seconds to a day, by default 5 minutes. A
     * session whose last heartbeat lies further back than the lease and this expires at once, so that a job that tries
     * once an hour does not lose a turn to a process that died long ago. A process whose clock differs from DynamoDB's
     * by more than half of it gets no locks, and is told so. Zero switches both off; use the same value for all
     * processes of a table.
     */
    public DynamoLocksBuilder maxClockSkew(Duration maxClockSkew) {
        this.maxClockSkew = Objects.requireNonNull(maxClockSkew, "maxClockSkew");
        return this;
    }

    /**
     * How long one call to DynamoDB may take before it counts as failed, by default a fifth of the lease, but not more
     * than 4 s; from 1 ms to a third of the lease. The call that begins a process's session may take 4 s in any case.
     */
    public DynamoLocksBuilder callTimeout(Duration callTimeout) {
        this.callTimeout = Objects.requireNonNull(callTimeout, "callTimeout");
        return this;
    }

    /**
     * How many calls to DynamoDB that callers wait for may be under way at once, by default 32; 1 to 10,000. Heartbeats, clean-up
     * (a quarter as many) and reads for people (4) go beside them.
     */
    public DynamoLocksBuilder maxCallsInFlight(int maxCallsInFlight) {
        this.maxCallsInFlight = maxCallsInFlight;
        return this;
    }

    /**
     * How many entries a lock's queue may have; 2 to 1,000, by default 200. Callers of one process mostly share an entry.
     * A process that finds the queue full waits outside until there is room, and there the order is not strict. A long
     * queue makes each write of that lock dearer: {@code docs/table.md} says by how much.
     */
    public DynamoLocksBuilder maxQueue(int maxQueue) {
        this.maxQueue = maxQueue;
        return this;
    }

    /** The name of this application, put before host and process id in the name of the owner unless one is set. */
    public DynamoLocksBuilder application(String application) {
        this.application = Objects.requireNonNull(application, "application");
        return this;
    }

    /**
     * A name of this process for people, shown when a lock is inspected or a wait for it ends; by default host and
     * process id. 1 to 256 bytes of UTF-8, none of them of a control character. It decides nothing and need not be unique.
     */
    public DynamoLocksBuilder owner(String owner) {
        this.owner = Objects.requireNonNull(owner, "owner");
        return this;
    }

    /** Hears what the registry does; by default there is none. Each call adds one, unless it is there; they hear in this order. */
    public DynamoLocksBuilder listener(LockListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Runs the continuations of {@link LockRegistry#acquireAsync} and {@link LockHandle#releaseAsync} and the callbacks
     * of {@link LockHandle#onLost}; by default a few daemon threads of the registry's, which end when idle. It is not
     * shut down with the registry; what it rejects runs on a thread of the registry's.
     */
    public DynamoLocksBuilder executor(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    DynamoLocksBuilder on(RegistrySurroundings others) {
        surroundings = others;
        return this;
    }

    /**
     * The table that the registry will use, to create or check it. Needs no {@link #build()}, and takes no notice of
     * later changes to this builder.
     *
     * @throws IllegalStateException if this builder was not made for a DynamoDB client
     * @throws InvalidSettingException if the settings are refused, as by {@link #build()}
     */
    public LockTable table() {
        if (dynamoDb == null) {
            throw new IllegalStateException(
                    "There is no DynamoDB table: this builder was made for another store. Use DynamoLocks.builder with"
                            + " a DynamoDbClient or a DynamoDbAsyncClient.");
        }
        return new DynamoLockTable(dynamoDb.table(tableSettings(settings())), table.singleRegion);
    }

    /**
     * A new registry. It does nothing, and asks DynamoDB nothing, until it is used.
     *
     * @throws InvalidSettingException if a setting is out of its range or does not go with another; the message says
     *     what to change
     */
    public LockRegistry build() {
        EngineSettings settings = settings();
        PooledEventLoop loop = new PooledEventLoop("dynamolock");
        if (dynamoDb == null) {
            return build(settings, Objects.requireNonNull(givenStore), Optional.empty(), loop, 0);
        }
        LockStore store = dynamoDb.store(tableSettings(settings), settings.allCallsInFlight(), loop.calls());
        return build(settings, store, Optional.of(table()), loop, table.keyPrefixBytes());
    }

    private LockRegistry build(
            EngineSettings settings,
            LockStore store,
            Optional<LockTable> lockTable,
            EventLoop own,
            int keyPrefixBytes) {
        TimeSource time = surroundings.time();
        EventLoop loop = surroundings.loop(own);
        RandomGenerator random = surroundings.random();
        ListenerQueue queue = new ListenerQueue(listeners, time);
        LockEngine engine = new PausableEngine(settings, surroundings.store(store), loop, time, random, queue);
        LockRegistry registry = new DefaultLockRegistry(
                surroundings.engine(engine),
                new RegistryThreads(executor, surroundings::callback),
                queue,
                Pauses.on(loop, random),
                Fences.on(store),
                lockTable,
                keyPrefixBytes,
                settings.maxQueue(),
                timeToClose(settings.callTimeout()));
        surroundings.built(registry, settings);
        return registry;
    }

    /** A session that is only just beginning has to end, too; the engine's own limit is shorter by one call. */
    private static Duration timeToClose(Duration callTimeout) {
        return Collections.max(List.of(
                callTimeout.multipliedBy(3), LockStore.timeToBegin(callTimeout).plus(callTimeout.multipliedBy(2))));
    }

    EngineSettings settings() {
        if (application != null) {
            String name = application;
            InvalidSettingException.check("application", () -> LockNames.requireNotEmpty("The application", name));
        }
        return SettingsRules.checked(new EngineSettings(
                owner != null ? owner : SafeText.clean(ThisProcess.name(application)),
                lease,
                heartbeat != null ? heartbeat : Collections.min(List.of(LONGEST_DEFAULT_HEARTBEAT, lease.dividedBy(4))),
                driftMargin != null ? driftMargin : lease.dividedBy(20),
                pollMin,
                pollMax != null ? pollMax : Collections.min(List.of(LONGEST_DEFAULT_POLL, lease)),
                lockDelay,
                maxClockSkew,
                callTimeout != null
                        ? callTimeout
                        : Collections.min(List.of(LONGEST_DEFAULT_CALL_TIMEOUT, lease.dividedBy(5))),
                maxCallsInFlight,
                retention,
                maxQueue));
    }

    DynamoTableSettings tableSettings(EngineSettings settings) {
        return table.checked(settings);
    }
}
