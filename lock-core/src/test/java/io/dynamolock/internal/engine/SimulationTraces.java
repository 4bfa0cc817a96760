package io.dynamolock.internal.engine;

import static java.util.stream.Collectors.joining;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.EngineSimulation.Story;
import io.dynamolock.internal.store.LockStore;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Writes traces of the simulation, for {@code verification/compare-traces}: every call of a simulated process to its
 * store with the arguments, the answer and the virtual times of both, and every line that the simulation logs (callers
 * that come, are granted, lose the lock, release it or are refused; edits that land).
 *
 * <p>The script also copies this file into older commits. It therefore names no class of the engine's: it finds the
 * store of a process by its type, and the simulation's log and clock by the names of their fields. Classes appear in a
 * trace without their package, and records without the names of their components, so that moving a class or renaming a
 * component changes no trace.
 */
@EnabledIfSystemProperty(named = "traces.directory", matches = ".+")
class SimulationTraces {

    private static final Path DIRECTORY = Path.of(System.getProperty("traces.directory", ""));

    /** A line {@code scenario seed digest} for each seed of each scenario. */
    @Test
    void writesTheDigestOfEachTrace() throws Exception {
        long seeds = Long.getLong("traces.seeds", 1_000);
        List<Story> scenarios = scenarios();
        List<String> lines = LongStream.range(0, seeds * scenarios.size())
                .parallel()
                .mapToObj(index -> {
                    int scenario = (int) (index / seeds);
                    long seed = index % seeds;
                    return scenario + " " + seed + " " + digest(trace(seed, scenarios.get(scenario)));
                })
                .toList();
        Files.write(DIRECTORY.resolve("digests"), lines);
    }

    /** The whole traces of {@code -Dtraces.whole=scenario:seed,scenario:seed}. */
    @Test
    @EnabledIfSystemProperty(named = "traces.whole", matches = ".+")
    void writesWholeTraces() throws Exception {
        for (String wanted : System.getProperty("traces.whole").split(",", -1)) {
            String[] numbers = wanted.split(":", -1);
            Story scenario = scenarios().get(Integer.parseInt(numbers[0]));
            Files.write(
                    DIRECTORY.resolve(numbers[0] + "-" + numbers[1] + ".trace"),
                    trace(Long.parseLong(numbers[1]), scenario));
        }
    }

    private static List<Story> scenarios() {
        return EngineSimulationTest.stories().map(Named::getPayload).toList();
    }

    private static String digest(List<String> trace) {
        try {
            byte[] bytes = String.join("\n", trace).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> trace(long seed, Story scenario) {
        Recording recording = new Recording();
        EngineSimulation simulation = new EngineSimulation(seed, scenario, recording.parts());
        recording.listenTo(simulation);
        try {
            simulation.run();
        } catch (AssertionError | RuntimeException broken) {
            recording.lines.add(recording.text(broken).lines().findFirst().orElse(""));
        }
        return recording.lines;
    }

    /** The trace of one run. */
    private static final class Recording {

        private static final String PACKAGE = "io.dynamolock.";
        private static final Pattern QUALIFIER = Pattern.compile("io\\.dynamolock\\.[a-z.]+\\.");
        /** A wait without a limit is an arbitrary long time, which one commit may choose differently from another. */
        private static final Pattern WITHOUT_LIMIT = Pattern.compile("waits PT\\d{6,}H.*");

        /** The accessors of a record class, in the order of its components. */
        private static final ClassValue<List<Method>> ACCESSORS = new ClassValue<>() {
            @Override
            protected List<Method> computeValue(Class<?> type) {
                return Stream.of(type.getRecordComponents())
                        .map(RecordComponent::getAccessor)
                        .peek(accessor -> accessor.setAccessible(true))
                        .toList();
            }
        };

        private final List<String> lines = new ArrayList<>();
        /** The simulation's clock. It is known before the first engine starts. */
        private @Nullable VirtualTime time;

        private int engines;
        private int calls;

        /** Takes over the simulation's log and finds its clock. */
        void listenTo(EngineSimulation simulation) {
            try {
                time = (VirtualTime) field("time").get(simulation);
                field("log").set(simulation, new ArrayDeque<String>() {
                    @Override
                    public boolean add(String line) {
                        lines.add(WITHOUT_LIMIT.matcher(withoutPackages(line)).replaceAll("waits without a limit"));
                        return super.add(line);
                    }
                });
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("the simulation has no log or no clock where they are expected", e);
            }
        }

        private static Field field(String name) throws ReflectiveOperationException {
            Field field = EngineSimulation.class.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        }

        /** The simulation's usual parts, but that the store of each engine is recorded. */
        EngineSimulation.Parts parts() {
            InvocationHandler handler = (parts, method, arguments) -> {
                Object[] replaced = arguments.clone();
                if (method.getName().equals("engine")) {
                    String engine = "E" + ++engines;
                    for (int i = 0; i < replaced.length; i++) {
                        replaced[i] = withRecordedStore(replaced[i], engine);
                    }
                }
                return InvocationHandler.invokeDefault(parts, method, replaced);
            };
            return (EngineSimulation.Parts) Proxy.newProxyInstance(
                    EngineSimulation.class.getClassLoader(), new Class<?>[] {EngineSimulation.Parts.class}, handler);
        }

        /** The same store or record of an engine's parts, with a recorded store. */
        private Object withRecordedStore(Object part, String engine) throws ReflectiveOperationException {
            if (part instanceof LockStore store) {
                return recorded(store, engine);
            }
            if (!(part instanceof Record)) {
                return part;
            }
            RecordComponent[] components = part.getClass().getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                values[i] = value(ACCESSORS.get(part.getClass()).get(i), part);
                if (types[i] == LockStore.class) {
                    values[i] = recorded((LockStore) values[i], engine);
                }
            }
            Constructor<?> constructor = part.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        }

        private LockStore recorded(LockStore store, String engine) {
            InvocationHandler handler = (proxy, method, arguments) -> {
                if (!CompletionStage.class.isAssignableFrom(method.getReturnType())) {
                    return call(store, method, arguments);
                }
                String call = engine + " call " + ++calls;
                line(call + " " + method.getName() + " " + text(List.of(arguments)));
                CompletableFuture<Object> answered = new CompletableFuture<>();
                ((CompletionStage<?>) call(store, method, arguments)).whenComplete((answer, failure) -> {
                    if (failure == null) {
                        line(call + " answers " + text(answer));
                        answered.complete(answer);
                    } else {
                        line(call + " fails " + text(failure));
                        answered.completeExceptionally(failure);
                    }
                });
                return answered;
            };
            return (LockStore)
                    Proxy.newProxyInstance(LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, handler);
        }

        private static Object call(LockStore store, Method method, Object @Nullable [] arguments) throws Throwable {
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private void line(String what) {
            lines.add((time == null ? 0 : time.nanos()) + " " + what);
        }

        /** A value in the same words in every virtual machine: the elements of sets and maps are sorted. */
        private String text(@Nullable Object value) {
            if (value instanceof Optional<?> optional) {
                return optional.map(this::text).orElse("none");
            } else if (value instanceof LockData data) {
                return "'" + data.text() + "'";
            } else if (value instanceof Set<?> set) {
                return set.stream().map(this::text).sorted().collect(joining(", ", "{", "}"));
            } else if (value instanceof Map<?, ?> map) {
                return map.entrySet().stream()
                        .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
                        .sorted()
                        .collect(joining(", ", "{", "}"));
            } else if (value instanceof Collection<?> list) {
                return list.stream().map(this::text).collect(joining(", ", "[", "]"));
            } else if (value instanceof Record) {
                return ACCESSORS.get(value.getClass()).stream()
                        .map(accessor -> text(value(accessor, value)))
                        .collect(joining(", ", value.getClass().getSimpleName() + "(", ")"));
            }
            return withoutPackages(String.valueOf(value));
        }

        private static Object value(Method accessor, Object owner) {
            try {
                return accessor.invoke(owner);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        private static String withoutPackages(String text) {
            return text.contains(PACKAGE) ? QUALIFIER.matcher(text).replaceAll("") : text;
        }
    }
}
