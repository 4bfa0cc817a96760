package io.dynamolock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.Acquisition;
import io.dynamolock.engine.Grant;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.memory.InMemoryLockStore;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.FaultyLockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Runs the real engine in several simulated processes against a store that loses, delays and repeats what is sent to
 * it, and checks after every grant that nobody else validly holds the lock and that the tickets rise, and at the end
 * that nothing is stuck and nothing is left. To replay a seed: {@code -Dsimulation.seed=N}.
 */
public final class Simulation {

    private static final Duration LONGEST_STEP = Duration.ofSeconds(3);

    private Simulation() {}

    /** Runs one seed; never throws for a broken promise. */
    public static Outcome run(long seed) {
        return new Run(seed).run();
    }

    private static final class Run {

        private final long seed;
        private final SplittableRandom random;
        private final VirtualTime time = new VirtualTime();
        private final InMemoryLockStore memory = new InMemoryLockStore(time::now);
        private final FaultyLockStore faulty = new FaultyLockStore(memory);
        private final List<SimulatedProcess> processes = new ArrayList<>();
        private final List<RefereeLockStore> networks = new ArrayList<>();
        private final List<SimulatedProcess> stopped = new ArrayList<>();
        private final List<CompletableFuture<Void>> stops = new ArrayList<>();
        private final List<Acquisition> open = new ArrayList<>();
        private final Map<LockKey, List<Grant>> granted = new HashMap<>();
        private final Map<Grant, String> owners = new HashMap<>();
        private final Map<LockKey, Long> lastNumber = new HashMap<>();
        private final List<String> history = new ArrayList<>();
        private int count;
        private int started;
        private int keys;
        private boolean excusedGarbage;
        private AssertionError broken;

        Run(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
        }

        Outcome run() {
            String violation = null;
            try {
                simulate();
            } catch (AssertionError | RuntimeException e) {
                violation = String.valueOf(e.getMessage());
            }
            return new Outcome(seed, violation, String.join("\n", history), java.util.Map.of());
        }

        private void simulate() {
            for (int i = 0; i < 3; i++) {
                start();
            }
            keys = 1 + random.nextInt(4);
            int steps = 20 + random.nextInt(60);
            for (int i = 0; i < steps; i++) {
                step();
                theTableNamesTheHolders();
                time.advance(Duration.ofMillis(
                        random.nextInt(4) == 0 ? random.nextInt((int) LONGEST_STEP.toMillis()) : random.nextInt(30)));
            }
            faulty.heal();
            faulty.landLate();
            faulty.resume();
            processes.forEach(SimulatedProcess::thaw);
            stopped.forEach(SimulatedProcess::thaw);
            networks.forEach(RefereeLockStore::heal);
            log("healed");
            settleAll();
            granted.values().forEach(grants -> grants.forEach(Grant::release));
            assertThat(time.advanceUntil(() -> open.isEmpty(), Duration.ofMinutes(10)))
                    .as("every waiter has ended, open: %s", open)
                    .isTrue();
            time.advance(Duration.ofMinutes(2));
            for (SimulatedProcess process : processes) {
                if (!process.isDead()) {
                    assertThat(process.engine.held()).isEmpty();
                    assertThat(process.engine.waiting()).isZero();
                }
            }
            nothingIsStuck();
            theTableNamesTheHolders();
            assertThat(stops).allMatch(CompletableFuture::isDone);
            processes.forEach(this::everyCallerWasHeardOfOnce);
            stopped.forEach(this::everyCallerWasHeardOfOnce);
        }

        /** As long as a grant is valid, the table says that its process holds the lock. */
        private void theTableNamesTheHolders() {
            if (broken != null) {
                throw broken;
            }
            granted.forEach((key, grants) -> {
                Grant last = grants.get(grants.size() - 1);
                if (last.isValid()) {
                    LockState state = memory.lockState(key);
                    assertThat(state.holder()).as("holder of %s", key).isNotNull();
                    assertThat(state.holder().owner()).isEqualTo(owners.get(last));
                    assertThat(state.serving()).isGreaterThanOrEqualTo(last.number());
                }
            });
        }

        private void everyCallerWasHeardOfOnce(SimulatedProcess process) {
            process.heard.forEach((name, events) -> {
                List<String> rest = new ArrayList<>(events);
                rest.remove("queued");
                if (rest.remove("acquired")) {
                    assertThat(rest)
                            .as("how the hold of %s ended: %s", name, events)
                            .containsAnyOf("released", "lost");
                }
                assertThat(rest)
                        .as("%s of %s: %s", name, process.name(), events)
                        .hasSize(1)
                        .doesNotContain("queued", "acquired");
            });
        }

        /** A newcomer gets every lock, whatever was left behind. */
        private void nothingIsStuck() {
            SimulatedProcess newcomer =
                    new SimulatedProcess("newcomer", time, referee(), SimulatedProcess.SETTINGS, random.nextLong());
            for (LockKey key : memory.lockKeys()) {
                log("newcomer wants " + key + " " + memory.lockState(key) + " " + memory.rows(key));
                Acquisition acquisition = newcomer.acquire(key, AcquireSpec.FOREVER);
                assertThat(time.advanceUntil(() -> acquisition.outcome().isDone(), Duration.ofMinutes(5)))
                        .as("newcomer gets %s: %s %s", key, memory.lockState(key), memory.rows(key))
                        .isTrue();
                newcomer.grantOf(acquisition).release();
                time.advance(Duration.ofSeconds(2));
                LockState state = memory.lockState(key);
                assertThat(state.holder()).isNull();
                assertThat(memory.rows(key))
                        .as("rows that are left, other than garbage that landed late or belonged to the killed")
                        .allMatch(row -> excusedGarbage && row.last() <= state.serving());
            }
        }

        private void settleAll() {
            for (Acquisition acquisition : List.copyOf(open)) {
                acquisition.outcome().thenAccept(outcome -> {
                    if (outcome instanceof AcquireOutcome.Granted g) {
                        time.schedule(() -> g.grant().release(), Duration.ofMillis(10));
                    }
                });
            }
        }

        private RefereeLockStore referee() {
            RefereeLockStore network = new RefereeLockStore(
                    new LatentLockStore(
                            faulty,
                            time,
                            () -> Duration.ofMillis(1 + random.nextInt(random.nextInt(20) == 0 ? 300 : 8))),
                    memory,
                    time);
            networks.add(network);
            return network;
        }

        private void start() {
            processes.add(new SimulatedProcess(
                    "p" + started++, time, referee(), SimulatedProcess.SETTINGS, random.nextLong()));
        }

        private void log(String what) {
            history.add(Duration.ofNanos(time.nanos()).toMillis() + " " + what);
        }

        private void step() {
            SimulatedProcess process = processes.get(random.nextInt(processes.size()));
            LockKey key = new LockKey("k" + random.nextInt(keys), "default");
            switch (random.nextInt(18)) {
                case 0, 1, 2, 3, 4 -> acquireSeveral(process, key);
                case 5, 6 -> releaseOne(key);
                case 7 -> {
                    if (!open.isEmpty()) {
                        log("abandon");
                        open.get(random.nextInt(open.size())).abandon();
                    }
                }
                case 8, 9, 10 -> {
                    StoreOperation operation = StoreOperation.values()[random.nextInt(StoreOperation.values().length)];
                    Fault fault = List.of(
                                    Fault.THROTTLED,
                                    Fault.LOST_REQUEST,
                                    Fault.LOST_ANSWER,
                                    Fault.LANDS_LATE,
                                    Fault.LANDS_TWICE,
                                    Fault.STALLS,
                                    Fault.SLOW_ANSWER,
                                    Fault.REFUSED)
                            .get(random.nextInt(random.nextInt(4) == 0 ? 8 : 7));
                    boolean twiceIsAgainstTheRules = operation == StoreOperation.CREATE_SESSION;
                    if (!twiceIsAgainstTheRules) {
                        log("fault " + operation + " " + fault);
                        faulty.next(operation, fault, 1 + random.nextInt(2));
                        excusedGarbage |= operation == StoreOperation.ENTER
                                && List.of(Fault.LANDS_LATE, Fault.LANDS_TWICE, Fault.STALLS)
                                        .contains(fault);
                    }
                }
                case 11 -> {
                    log("late calls land");
                    faulty.landLate();
                    faulty.resume();
                }
                case 12 -> {
                    log("freeze " + process.name());
                    process.freeze();
                    time.schedule(process::thaw, Duration.ofMillis(random.nextInt(40_000)));
                }
                case 13 -> {
                    if (random.nextInt(4) == 0) {
                        log("kill " + process.name());
                        process.kill();
                        excusedGarbage = true;
                        processes.remove(process);
                        open.removeIf(acquisition -> ((Owned) acquisition).process == process);
                        start();
                    }
                }
                case 14 -> {
                    if (random.nextInt(5) == 0) {
                        log("time passes");
                        time.advance(Duration.ofSeconds(random.nextInt(60)));
                    }
                }
                case 15 -> {
                    if (random.nextInt(6) == 0) {
                        log("stop " + process.name());
                        stops.add(process.engine.shutdown());
                        excusedGarbage = true;
                        processes.remove(process);
                        stopped.add(process);
                        start();
                    } else if (random.nextInt(4) == 0) {
                        Duration by = Duration.ofSeconds(random.nextInt(1_200) - 600);
                        log("clock of " + process.name() + " jumps by " + by);
                        process.moveWallClock(by);
                    }
                }
                case 16 -> {
                    if (random.nextInt(4) == 0) {
                        int slow = random.nextInt(12_000);
                        int cutOff = random.nextInt(40_000);
                        int network = random.nextInt(networks.size());
                        log("network " + network + " slow for " + slow + ", then cut off for " + cutOff);
                        networks.get(network).slowThenCutOff(Duration.ofMillis(slow), Duration.ofMillis(cutOff));
                        excusedGarbage = true;
                    }
                }
                default -> process.moveWallClock(Duration.ofMillis(random.nextInt(20_000) - 10_000));
            }
        }

        private void acquireSeveral(SimulatedProcess process, LockKey key) {
            int n = random.nextInt(12) == 0 ? 50 : 1 + random.nextInt(4);
            for (int i = 0; i < n; i++) {
                Duration wait = switch (random.nextInt(5)) {
                    case 0 -> Duration.ZERO;
                    case 1 -> Duration.ofMillis(random.nextInt(5_000));
                    default -> AcquireSpec.FOREVER;
                };
                Duration maxHold = random.nextInt(6) == 0 ? Duration.ofMillis(1 + random.nextInt(3_000)) : null;
                Duration atLeast =
                        maxHold == null && random.nextInt(8) == 0 ? Duration.ofMillis(random.nextInt(500)) : null;
                int id = count++;
                Owned acquisition = new Owned(
                        id,
                        process.name(),
                        process,
                        process.acquire(new AcquireSpec(key, "#" + id, wait, maxHold, atLeast)));
                log("#" + id + " " + process.name() + " wants " + key + " for " + wait + " maxHold " + maxHold);
                open.add(acquisition);
                acquisition.outcome().thenAccept(outcome -> {
                    open.remove(acquisition);
                    if (outcome instanceof AcquireOutcome.Granted grant) {
                        try {
                            granted(id, process, key, grant.grant());
                        } catch (AssertionError e) {
                            // A future would swallow it.
                            broken = broken == null ? e : broken;
                        }
                    } else {
                        log("#" + id + " " + outcome);
                    }
                });
            }
        }

        private void granted(int id, SimulatedProcess process, LockKey key, Grant grant) {
            log("#" + id + " granted " + key + " " + grant.number() + " to " + process.name());
            List<Grant> before = granted.computeIfAbsent(key, k -> new ArrayList<>());
            for (Grant other : before) {
                assertThat(other.isValid())
                        .as("grant %s of %s is valid beside %s", other.number(), key, grant.number())
                        .isFalse();
            }
            assertThat(grant.isValid()).isTrue();
            assertThat(grant.number()).isGreaterThan(lastNumber.getOrDefault(key, 0L));
            lastNumber.put(key, grant.number());
            before.add(grant);
            owners.put(grant, process.name());
            theTableNamesTheHolders();
            if (random.nextInt(3) > 0) {
                time.schedule(
                        () -> {
                            if (!process.isDead()) {
                                log("#" + id + " releases");
                                grant.release();
                            }
                        },
                        Duration.ofMillis(random.nextInt(200)));
            }
        }

        private void releaseOne(LockKey key) {
            List<Grant> grants = granted.getOrDefault(key, List.of());
            if (!grants.isEmpty()) {
                Grant grant = grants.get(grants.size() - 1);
                log("release " + grant.number());
                grant.release();
            }
        }
    }

    private record Owned(int id, String name, SimulatedProcess process, Acquisition acquisition)
            implements Acquisition {

        @Override
        public CompletableFuture<AcquireOutcome> outcome() {
            return acquisition.outcome();
        }

        @Override
        public void abandon() {
            acquisition.abandon();
        }
    }
}
