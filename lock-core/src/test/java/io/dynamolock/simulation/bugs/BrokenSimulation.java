package io.dynamolock.simulation.bugs;

import io.dynamolock.engine.LockEngine;
import io.dynamolock.simulation.ReloadedClasses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The simulation with a deliberate bug in it: the patched source is compiled in memory, and engine, store and simulation are
 * loaded once more around it. The classes that everybody else uses stay as they are.
 */
final class BrokenSimulation {

    private final LongFunction<@Nullable String> seedRunner;

    private BrokenSimulation(Map<String, byte[]> patched) {
        try {
            seedRunner = runnerIn(new ReloadedClasses((name, original) -> patched.getOrDefault(name, original)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static BrokenSimulation with(PatchedBug bug) {
        return new BrokenSimulation(compile(bug));
    }

    /** The same detour without any bug. */
    static BrokenSimulation intact() {
        return new BrokenSimulation(Map.of());
    }

    /** What the simulator found wrong with this seed, {@code null} if nothing. */
    @Nullable
    String run(long seed) {
        return seedRunner.apply(seed);
    }

    @SuppressWarnings("unchecked")
    private static LongFunction<@Nullable String> runnerIn(ClassLoader loader) throws ReflectiveOperationException {
        return (LongFunction<@Nullable String>) loader.loadClass(SeedRunner.class.getName())
                .getDeclaredConstructor()
                .newInstance();
    }

    private static Map<String, byte[]> compile(PatchedBug bug) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<String> options = List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(problems, null, null);
                InMemory output = new InMemory(files)) {
            Source source = new Source(bug.source(), sourceWith(bug));
            if (!compiler.getTask(null, output, problems, options, null, List.of(source))
                    .call()) {
                throw new IllegalStateException("The bug '" + bug + "' does not compile: " + problems.getDiagnostics());
            }
            return output.classes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The source file with the bug in it. Fails if the bug no longer fits the code. */
    static String sourceWith(PatchedBug bug) {
        try {
            return bug.applyTo(Files.readString(fileOf(bug)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path fileOf(PatchedBug bug) {
        try {
            Path classes = Path.of(LockEngine.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            String file = "java/io/dynamolock/" + bug.source() + ".java";
            Path sources = classes.getParent().getParent().resolve("src");
            Path main = sources.resolve("main").resolve(file);
            return Files.exists(main) ? main : sources.resolve("test").resolve(file);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String code;

        Source(String name, String code) {
            super(URI.create("string:///io/dynamolock/" + name + Kind.SOURCE.extension), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return written.computeIfAbsent(className, name -> new ByteArrayOutputStream());
                }
            };
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new HashMap<>();
            written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }
}
