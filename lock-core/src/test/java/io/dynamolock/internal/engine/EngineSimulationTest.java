package io.dynamolock.internal.engine;

import static io.dynamolock.internal.engine.EngineSimulation.Mishap.APART;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.CLOCKS;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.CRASHES;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.DOUBLED;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.LOST;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.MIXED_SETTINGS;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.NOTICES;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.REMOVALS;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.RESIZES;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.RETURNS;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.SILENCE;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.SLEW;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.STOPS;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.THROTTLED;
import static org.junit.jupiter.api.Named.named;

import io.dynamolock.internal.engine.EngineSimulation.Story;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many seeds of the simulation: {@code -Dengine.seeds} of each story, from {@code -Dengine.first} on. */
class EngineSimulationTest {

    private static final int SEEDS = Integer.getInteger("engine.seeds", 25);
    private static final long FIRST = Long.getLong("engine.first", 0);

    static Stream<Named<Story>> stories() {
        return Stream.of(
                named("without faults everybody is served for two writes and nothing is left", new Story(false)),
                named("readers writers and permits hold only what goes together", new Story(true)),
                named("calls that fail without effect break no promise", new Story(true, THROTTLED)),
                named("lost late and old answers break no promise", new Story(true, LOST)),
                named("edits that land twice break no promise but that of their fence", new Story(true, LOST, DOUBLED)),
                named("pauses and shutdowns leave nothing but what is to be kept", new Story(true, STOPS)),
                named(
                        "notices evictions and other numbers of permits break no promise",
                        new Story(true, NOTICES, RESIZES, LOST)),
                named(
                        "items that somebody removes break no promise but the order of tokens",
                        new Story(true, REMOVALS, LOST)),
                named("processes that freeze and die break no promise", new Story(true, LOST, CRASHES, CLOCKS)),
                named("clocks that are wrong and run apart break no promise", new Story(true, CRASHES, CLOCKS, SLEW)),
                named("one kind of call that fails for long breaks no promise", new Story(true, APART)),
                named(
                        "lost answers beside a kind of call that fails for long break no promise",
                        new Story(true, APART, LOST, DOUBLED)),
                named(
                        "a kind of call that fails while processes freeze die and stop breaks no promise",
                        new Story(true, APART, CRASHES, STOPS, NOTICES)),
                named("entries that stay harm nobody elsewhere", new Story(true, RETURNS)),
                named(
                        "entries that stay in trouble break no promise",
                        new Story(true, RETURNS, LOST, CRASHES, STOPS, NOTICES)),
                named("processes with different settings break no promise", new Story(true, MIXED_SETTINGS)),
                named(
                        "processes with different settings in trouble break no promise",
                        new Story(true, MIXED_SETTINGS, LOST, CRASHES, STOPS)),
                named("all together breaks no promise", new Story(true, EngineSimulation.Mishap.values())),
                named("a store that is silent for a while breaks no promise", new Story(true, LOST, CRASHES, SILENCE)));
    }

    @ParameterizedTest
    @MethodSource("stories")
    void whateverHappensEveryPromiseIsKept(Story story) {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            new EngineSimulation(seed, story).run();
        }
    }
}
