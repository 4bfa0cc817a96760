package io.dynamolock.simulation;

import io.dynamolock.store.testing.StoreOperation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which faults a seed enables, and how often they strike. Some seeds are calm, some have one kind only, some have
 * everything, and in some only one operation suffers: bugs hide from the average.
 */
final class Faults {

    private static final List<FaultKind> KINDS = List.of(FaultKind.values());

    /** What the simulated processes do. */
    static final List<StoreOperation> OPERATIONS = Stream.of(StoreOperation.values())
            .filter(operation -> operation != StoreOperation.PUT
                    && operation != StoreOperation.LIST_LOCKS
                    // In some seeds only. Faults of all calls are its, too.
                    && operation != StoreOperation.EVICT)
            .toList();

    /** What is seldom called, or matters much, suffers alone in more seeds than the rest. */
    private static final List<StoreOperation> VICTIMS = Stream.concat(
                    OPERATIONS.stream(),
                    Stream.of(
                            StoreOperation.ASK,
                            StoreOperation.ASK,
                            StoreOperation.LEAVE,
                            StoreOperation.LEAVE,
                            StoreOperation.BEAT,
                            StoreOperation.RENAME,
                            StoreOperation.GROW))
            .toList();

    private final Map<FaultKind, Double> intensities = new EnumMap<>(FaultKind.class);
    private final Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
    private final SplittableRandom random;
    /** The only operation whose calls suffer, and all the more, {@code null} if all do. */
    private final @Nullable StoreOperation victim;

    private boolean healed;

    Faults(SplittableRandom random) {
        this.random = random;
        double share = switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1, 2, 3 -> -1;
            case 4, 5 -> 0.15;
            case 6, 7, 8 -> 0.4;
            default -> 0.9;
        };
        FaultKind only = KINDS.get(random.nextInt(KINDS.size()));
        for (FaultKind kind : KINDS) {
            if (share < 0 ? kind == only : random.nextDouble() < share) {
                // From rare to constant, in equal steps of magnitude.
                intensities.put(kind, Math.pow(10, -2 * random.nextDouble()));
            }
        }
        StoreOperation one = VICTIMS.get(random.nextInt(VICTIMS.size()));
        victim = random.nextInt(3) == 0 ? one : null;
    }

    boolean isCalm() {
        return intensities.isEmpty();
    }

    boolean enabled(FaultKind kind) {
        return intensities.containsKey(kind);
    }

    /** From 0.01 to 1, 0 if it is not enabled or all is well again. */
    double intensity(FaultKind kind) {
        return healed ? 0 : intensities.getOrDefault(kind, 0.0);
    }

    /** Of those that happen to one call, the one that happens to this call. */
    @Nullable
    FaultKind forCall(StoreOperation operation) {
        if (healed || victim != null && operation != victim) {
            return null;
        }
        for (Map.Entry<FaultKind, Double> entry : intensities.entrySet()) {
            FaultKind kind = entry.getKey();
            double rate = kind == FaultKind.REFUSED ? 0.002 : victim == null ? 0.12 : 0.4;
            if (kind.isOfOneCall() && kind != FaultKind.STALE_LOOK && random.nextDouble() < entry.getValue() * rate) {
                return kind;
            }
        }
        return null;
    }

    /** Whether an eventually consistent read shows less than everything. */
    boolean isStale() {
        return random.nextDouble() < intensity(FaultKind.STALE_LOOK) * 0.7;
    }

    /** Whether nothing happens to calls, and processes have the time to hear the answers. */
    boolean callsAreAnswered() {
        return intensities.keySet().stream().noneMatch(FaultKind::keepsAnswersFromCallers);
    }

    void struck(FaultKind kind) {
        struck.merge(kind, 1L, Long::sum);
    }

    Map<FaultKind, Long> struck() {
        return struck;
    }

    void heal() {
        healed = true;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        intensities.forEach((kind, rate) -> text.append(text.isEmpty() ? "" : ", ")
                .append(kind)
                .append(' ')
                .append(Math.round(rate * 100) / 100.0));
        return text.isEmpty() ? "none" : text + (victim == null ? "" : "; calls suffer if they are " + victim);
    }
}
