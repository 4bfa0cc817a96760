package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The page that explains the messages has those of the main code, word by word. They are read from the sources: the
 * texts of warnings, errors and exceptions, with an ellipsis for each part that is not written there.
 */
class MessagesPageTest {

    private static final String PAGE = Pages.text(Pages.ROOT.resolve("docs/messages.md"));
    private static final Pattern ENTRY = Pattern.compile("(?m)^(?:- |\\| )`([^`]+)`");

    /** What only a bug could show. */
    private static final Set<String> NEVER_SEEN = Set.of(
            "A key writes nothing.",
            "Cannot be made with other children: …",
            "No lock is known for …",
            "The call is over.",
            "a closing never completes exceptionally",
            "a release never completes exceptionally",
            "a skipped call returns the empty value of its type",
            "a waiter with the arrival … after one with …",
            "an acquisition never completes exceptionally",
            "every Java platform has SHA-256",
            "failed unexpectedly",
            "granted, or abandoned, but not by the caller: …",
            "held as …, which cannot go on as a reader",
            "the engine is shut down",
            "the future was not complete",
            "what never comes has no time left that could be told");

    /** Refuses what nobody but the locks writes; users see only that an item cannot be read, and why. */
    private static final String PROTOCOL = "io.dynamolock.internal.protocol";

    private static final Sources SOURCES = new Sources();

    @BeforeAll
    static void readTheSources() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(mainCode()));
            for (CompilationUnitTree source : task.parse()) {
                SOURCES.scan(source, null);
            }
        }
    }

    private static List<Path> mainCode() throws IOException {
        try (Stream<Path> modules = Files.list(Pages.ROOT)) {
            return modules.filter(module -> module.getFileName().toString().startsWith("lock-"))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(MessagesPageTest::javaIn)
                    .toList();
        }
    }

    private static Stream<Path> javaIn(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyWarningErrorAndExceptionIsExplained() {
        assertThat(SOURCES.messages)
                .hasSizeGreaterThan(200)
                .containsAll(NEVER_SEEN)
                .filteredOn(message -> !NEVER_SEEN.contains(message))
                .filteredOn(message -> !PAGE.contains("`" + message.replace("|", "\\|") + "`"))
                .isEmpty();
    }

    @Test
    void everyTextOnThePageStandsInTheCode() {
        List<String> entries = ENTRY.matcher(PAGE)
                .results()
                .map(entry -> entry.group(1).replace("\\|", "|"))
                .toList();
        assertThat(entries).hasSizeGreaterThan(200).doesNotHaveDuplicates();
        assertThat(entries)
                .filteredOn(entry -> !SOURCES.messages.contains(entry))
                .filteredOn(entry -> !Stream.of(entry.split("…"))
                        .map(String::strip)
                        .allMatch(part -> SOURCES.literals.stream().anyMatch(literal -> literal.contains(part))))
                .isEmpty();
    }

    private static final class Sources extends TreeScanner<@Nullable Void, @Nullable Void> {

        final Set<String> messages = new TreeSet<>();
        final Set<String> literals = new TreeSet<>();
        private String typeName = "";

        @Override
        public @Nullable Void visitCompilationUnit(CompilationUnitTree source, @Nullable Void nothing) {
            Set<String> before = Set.copyOf(messages);
            super.visitCompilationUnit(source, null);
            if (source.getPackageName().toString().equals(PROTOCOL)) {
                messages.retainAll(before);
            }
            return null;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
            String outer = typeName;
            typeName = type.getSimpleName().toString();
            super.visitClass(type, null);
            typeName = outer;
            return null;
        }

        @Override
        public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void nothing) {
            ExpressionTree method = call.getMethodSelect();
            String name =
                    method instanceof MemberSelectTree of ? of.getIdentifier().toString() : method.toString();
            boolean isLogged = name.equals("warn")
                    || name.equals("error")
                    || name.equals("log") && method.toString().contains("Level.ERROR");
            if (isLogged || name.equals("super") && isFailure(typeName)) {
                add(call.getArguments());
            }
            return super.visitMethodInvocation(call, null);
        }

        @Override
        public @Nullable Void visitNewClass(NewClassTree object, @Nullable Void nothing) {
            if (isFailure(object.getIdentifier().toString())) {
                add(object.getArguments());
            }
            return super.visitNewClass(object, null);
        }

        @Override
        public @Nullable Void visitLiteral(LiteralTree literal, @Nullable Void nothing) {
            if (literal.getValue() instanceof String text) {
                literals.add(shown(text).replace("%s", "…"));
            }
            return null;
        }

        private static boolean isFailure(String type) {
            return type.endsWith("Exception") || type.endsWith("Error");
        }

        /** The arguments that are texts, one after the other: some exceptions take the problem and the remedy. */
        private void add(List<? extends ExpressionTree> arguments) {
            String message = arguments.stream()
                    .map(Sources::text)
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining(" "));
            if (!message.isEmpty()) {
                messages.add(message);
            }
        }

        /** Null if this is no text with words, but a name, say. */
        private static @Nullable String text(ExpressionTree argument) {
            String text = parts(argument)
                    .map(part -> part instanceof LiteralTree literal && literal.getValue() instanceof String value
                            ? shown(value)
                            : "…")
                    .collect(Collectors.joining())
                    .replaceAll("…+", "…");
            return text.strip().contains(" ") && text.matches("(?s).*[A-Za-z]{2}.*") ? text : null;
        }

        private static Stream<ExpressionTree> parts(ExpressionTree expression) {
            return expression instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS
                    ? Stream.concat(parts(sum.getLeftOperand()), parts(sum.getRightOperand()))
                    : Stream.of(expression);
        }

        private static String shown(String literal) {
            return literal.replace("{}", "…").replace('\n', ' ');
        }
    }
}
