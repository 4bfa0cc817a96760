package io.dynamolock.internal.builder;

import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTable;
import io.dynamolock.internal.admin.DynamoLockTable;
import io.dynamolock.internal.elections.ElectionPauses;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.loop.PooledEventLoop;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
import io.dynamolock.internal.protocol.Clocks;
import io.dynamolock.internal.registry.Admission;
import io.dynamolock.internal.registry.DefaultLockRegistry;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.dynamodb.BlockingClient;
import io.dynamolock.internal.store.dynamodb.DynamoStore;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.text.ThisProcess;
import io.dynamolock.internal.threads.ListenerQueue;
import io.dynamolock.internal.threads.RegistryThreads;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Builds registries on DynamoDB or on another store, with the clocks and threads of this machine or of a test. */
public final class RegistryBuilder implements LockRegistryBuilder {

    private static final Duration LONGEST_DEFAULT_HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration LONGEST_DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration LONGEST_DEFAULT_POLL = Duration.ofMillis(250);

    private final @Nullable DynamoDbAsyncClient dynamoDb;
    private final @Nullable LockStore givenStore;

    private final TableOptions table = new TableOptions();
    private final List<LockListener> listeners = new ArrayList<>();
    private RegistrySurroundings surroundings = new RegistrySurroundings() {};
    private @Nullable Executor executor;

    private Duration wait = Duration.ofMinutes(1);
    private @Nullable Boolean awaitRelease;
    private Duration stay = Duration.ofMillis(10);
    private @Nullable LockObserver observer;
    private Duration retention = Duration.ofDays(7);
    private Duration lease = Duration.ofSeconds(20);
    private @Nullable Duration heartbeat;
    private @Nullable Duration driftMargin;
    private Duration pollMin = Duration.ofMillis(5);
    private @Nullable Duration pollMax;
    private Duration lockDelay = Duration.ZERO;
    private @Nullable Duration callTimeout;
    private int maxCallsInFlight = 32;
    private int maxQueue = 200;
    private boolean closesAtShutdown;
    private @Nullable String application;
    private @Nullable String owner;

    /** Exactly one of the two is given; the other is {@code null}. */
    private RegistryBuilder(@Nullable DynamoDbAsyncClient dynamoDb, @Nullable LockStore givenStore) {
        this.dynamoDb = dynamoDb;
        this.givenStore = givenStore;
    }

    public static RegistryBuilder of(DynamoDbClient client) {
        return of(new BlockingClient(DaxClients.refused(client)));
    }

    public static RegistryBuilder of(DynamoDbAsyncClient client) {
        return new RegistryBuilder(DaxClients.refused(client), null);
    }

    /**
     * A registry on any store, for example in memory. Settings of the DynamoDB table have no effect then.
     *
     * @param store not closed with the registry
     */
    public static RegistryBuilder of(LockStore store) {
        return new RegistryBuilder(null, Objects.requireNonNull(store, "store"));
    }

    @Override
    public RegistryBuilder tableName(String tableName) {
        table.name = Objects.requireNonNull(tableName, "tableName");
        return this;
    }

    @Override
    public RegistryBuilder keyPrefix(String keyPrefix) {
        table.keyPrefix = Objects.requireNonNull(keyPrefix, "keyPrefix");
        return this;
    }

    @Override
    public RegistryBuilder partitionKeyAttribute(String partitionKeyAttribute) {
        table.partitionKey = Objects.requireNonNull(partitionKeyAttribute, "partitionKeyAttribute");
        return this;
    }

    @Override
    public RegistryBuilder sortKeyAttribute(String sortKeyAttribute) {
        table.sortKey = Objects.requireNonNull(sortKeyAttribute, "sortKeyAttribute");
        return this;
    }

    @Override
    public RegistryBuilder ttlAttribute(String ttlAttribute) {
        table.ttl = Objects.requireNonNull(ttlAttribute, "ttlAttribute");
        return this;
    }

    @Override
    public RegistryBuilder dataAttribute(String dataAttribute) {
        table.data = Objects.requireNonNull(dataAttribute, "dataAttribute");
        return this;
    }

    @Override
    public RegistryBuilder formatAttribute(String formatAttribute) {
        table.format = Objects.requireNonNull(formatAttribute, "formatAttribute");
        return this;
    }

    @Override
    public RegistryBuilder singleRegion(boolean singleRegion) {
        table.singleRegion = singleRegion;
        return this;
    }

    @Override
    public RegistryBuilder retention(Duration retention) {
        this.retention = Objects.requireNonNull(retention, "retention");
        return this;
    }

    @Override
    public RegistryBuilder lease(Duration lease) {
        this.lease = Objects.requireNonNull(lease, "lease");
        return this;
    }

    @Override
    public RegistryBuilder heartbeat(Duration heartbeat) {
        this.heartbeat = Objects.requireNonNull(heartbeat, "heartbeat");
        return this;
    }

    @Override
    public RegistryBuilder driftMargin(Duration driftMargin) {
        this.driftMargin = Objects.requireNonNull(driftMargin, "driftMargin");
        return this;
    }

    @Override
    public RegistryBuilder pollInterval(Duration min, Duration max) {
        this.pollMin = Objects.requireNonNull(min, "min");
        this.pollMax = Objects.requireNonNull(max, "max");
        return this;
    }

    @Override
    public RegistryBuilder lockDelay(Duration lockDelay) {
        this.lockDelay = Objects.requireNonNull(lockDelay, "lockDelay");
        return this;
    }

    @Override
    public RegistryBuilder callTimeout(Duration callTimeout) {
        this.callTimeout = Objects.requireNonNull(callTimeout, "callTimeout");
        return this;
    }

    @Override
    public RegistryBuilder maxCallsInFlight(int maxCallsInFlight) {
        this.maxCallsInFlight = maxCallsInFlight;
        return this;
    }

    @Override
    public RegistryBuilder maxQueue(int maxQueue) {
        this.maxQueue = maxQueue;
        return this;
    }

    @Override
    public RegistryBuilder application(String application) {
        this.application = Objects.requireNonNull(application, "application");
        return this;
    }

    @Override
    public RegistryBuilder owner(String owner) {
        this.owner = Objects.requireNonNull(owner, "owner");
        return this;
    }

    @Override
    public RegistryBuilder listener(LockListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    @Override
    public RegistryBuilder executor(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    @Override
    public RegistryBuilder observer(LockObserver observer) {
        this.observer = Objects.requireNonNull(observer, "observer");
        return this;
    }

    @Override
    public RegistryBuilder wait(Duration wait) {
        this.wait = Objects.requireNonNull(wait, "wait");
        return this;
    }

    @Override
    public RegistryBuilder awaitRelease(boolean awaitRelease) {
        this.awaitRelease = awaitRelease;
        return this;
    }

    @Override
    public RegistryBuilder stay(Duration stay) {
        this.stay = Objects.requireNonNull(stay, "stay");
        return this;
    }

    @Override
    public RegistryBuilder closeAtShutdown() {
        closesAtShutdown = true;
        return this;
    }

    /** Sets what the registry stands on instead of this machine's clocks and threads. */
    public RegistryBuilder on(RegistrySurroundings newSurroundings) {
        surroundings = newSurroundings;
        return this;
    }

    @Override
    public LockTable table() {
        if (dynamoDb == null) {
            throw new IllegalStateException(
                    "There is no DynamoDB table: this builder was made for another store. Use LockRegistry.builder with"
                            + " a DynamoDbClient or a DynamoDbAsyncClient.");
        }
        EngineSettings settings = settings();
        return new DynamoLockTable(dynamoDb, tableSettings(settings), table.singleRegion, settings.connections());
    }

    @Override
    public LockRegistry build() {
        EngineSettings settings = settings();
        RequestDefaults defaults = requestDefaults();
        Optional<LockTable> checkedTable = dynamoDb == null ? Optional.empty() : Optional.of(table());
        GrantHandle.startCleaner();
        // Starts a thread, so nothing may be refused after this line.
        PooledEventLoop own = new PooledEventLoop("dynamolock");
        LockStore store = store(settings, own);
        TimeSource time = surroundings.time();
        EventLoop loop = surroundings.loop(own);
        RandomGenerator random = surroundings.random();
        ListenerQueue queue = new ListenerQueue(listeners, time);
        LockEngine engine = new PausableEngine(settings, surroundings.store(store), loop, time, random, queue);
        DefaultLockRegistry registry = new RegistryParts(
                        surroundings.engine(engine),
                        new RegistryThreads(executor, surroundings::callback),
                        queue,
                        observer,
                        ElectionPauses.on(loop, random),
                        store instanceof DynamoStore onDynamoDb ? onDynamoDb::fence : Fences.NONE,
                        checkedTable,
                        new UnawaitedReleases(settings.maxCallsInFlight()),
                        new Admission(defaults, dynamoDb == null ? 0 : table.keyPrefixBytes(), settings.maxQueue()),
                        // Time for the beginning of a session that is under way, and for the session's end. The
                        // engine's own limit is shorter by one call.
                        LockStore.timeToBegin(settings.callTimeout())
                                .plus(settings.callTimeout().multipliedBy(2)))
                .assemble();
        if (closesAtShutdown) {
            registry.closeAtShutdown(surroundings.shutdownHooks());
        }
        surroundings.built(registry, settings);
        return registry;
    }

    private LockStore store(EngineSettings settings, PooledEventLoop loop) {
        if (dynamoDb == null) {
            return Objects.requireNonNull(givenStore);
        }
        // A client that blocks needs a thread for each call.
        int threads = dynamoDb instanceof BlockingClient ? settings.allCallsInFlight() : DynamoStore.SENDERS;
        return new DynamoStore(dynamoDb, tableSettings(settings), threads, loop.calls());
    }

    /** What processes must have in common to exclude each other, and the lease, for a line in the log. */
    public String summary() {
        return "key prefix " + SafeText.quote(table.keyPrefix) + ", namespace "
                + SafeText.quote(LockRequest.DEFAULT_NAMESPACE) + " unless a lock says otherwise, lease " + lease;
    }

    public EngineSettings settings() {
        if (application != null) {
            String name = application;
            SettingsRules.check("application", () -> LockNames.requireNotEmpty("The application", name));
        }
        return SettingsRules.checked(new EngineSettings(
                owner != null ? owner : SettingsRules.defaultOwner(application),
                lease,
                heartbeat != null ? heartbeat : Collections.min(List.of(LONGEST_DEFAULT_HEARTBEAT, lease.dividedBy(4))),
                driftMargin != null ? driftMargin : lease.dividedBy(Clocks.SLEW),
                pollMin,
                pollMax != null ? pollMax : Collections.min(List.of(LONGEST_DEFAULT_POLL, lease)),
                lockDelay,
                callTimeout != null
                        ? callTimeout
                        : Collections.min(List.of(LONGEST_DEFAULT_CALL_TIMEOUT, lease.dividedBy(5))),
                maxCallsInFlight,
                retention,
                maxQueue));
    }

    public RequestDefaults requestDefaults() {
        SettingsRules.checkWait(wait);
        SettingsRules.checkStay(stay);
        return new RequestDefaults(
                wait, awaitRelease != null ? awaitRelease : ThisProcess.isInLambda(surroundings.environment()), stay);
    }

    public DynamoTableSettings tableSettings(EngineSettings settings) {
        return table.checked(settings);
    }
}
