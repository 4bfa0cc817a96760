package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All Java on the pages compiles. A block is the body of a class, or that of a method; the class extends {@link
 * Surroundings}, which has what the page leaves to the reader. {@code ...} stands for code that the reader adds. A
 * block may also be a piece of the sample or its tests, which the build compiles and runs.
 */
class DocumentedCodeTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern MEMBERS = Pattern.compile(
            "(?s)^(@(?!Nullable)|public |private |static |class |record |interface |void |\\w+ \\w+\\().*");

    /** A block with what makes a compilation unit of it, in lines of their own before and after it. */
    private static final class Source extends SimpleJavaFileObject {

        private final Path page;
        private final int line;
        private final String code;

        Source(Path page, int number, int line, String block) {
            super(URI.create("string:///" + name(page, number) + ".java"), Kind.SOURCE);
            this.page = page;
            this.line = line;
            String before = Surroundings.IMPORTS + " abstract class " + name(page, number) + " extends Surroundings { ";
            String body = block.replaceAll("\\bclass ([^{]*)\\{ \\.\\.\\. }", "abstract class $1{}")
                    .replaceAll("\\{ \\.\\.\\. }", "{ throw new UnsupportedOperationException(); }")
                    .replaceAll("(?m)^ *\\.\\.\\.\\n(?=}|    })", "throw new UnsupportedOperationException();\n")
                    .replaceAll("(?m)^ *\\.\\.\\.$", "");
            code = MEMBERS.matcher(block).matches()
                    ? before + body + "}"
                    : before + "void run() throws Throwable { " + body + "}}";
        }

        private static String name(Path page, int number) {
            return page.getFileName().toString().replaceAll("\\W", "_") + number;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    @Test
    void allJavaOnThePagesCompiles(@TempDir Path classes) {
        List<Source> sources = new ArrayList<>();
        for (Path page : Pages.all()) {
            Matcher block = BLOCK.matcher(Pages.text(page));
            for (int i = 1; block.find(); i++) {
                if (isPieceOfTheSample(block.group(1))) {
                    continue;
                }
                int line = (int)
                        Pages.text(page).substring(0, block.start(1)).lines().count();
                sources.add(new Source(page, i, line, block.group(1)));
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();

        compiler.getTask(
                        null,
                        null,
                        problems,
                        List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString()),
                        null,
                        sources)
                .call();

        assertThat(sources).hasSizeGreaterThan(30);
        assertThat(problems.getDiagnostics())
                .filteredOn(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .extracting(DocumentedCodeTest::describe)
                .isEmpty();
    }

    private static boolean isPieceOfTheSample(String block) {
        String piece = withoutSpaces(block).replaceAll("}$", "");
        try (Stream<Path> sources = Files.walk(Pages.ROOT.resolve("sample-app/src"))) {
            return sources.filter(source -> source.toString().endsWith(".java"))
                    .anyMatch(source -> withoutSpaces(Pages.text(source)).contains(piece));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }

    private static String describe(Diagnostic<? extends JavaFileObject> problem) {
        return problem.getSource() instanceof Source source
                ? source.page.getFileName() + ":" + (source.line + problem.getLineNumber()) + " "
                        + problem.getMessage(Locale.ROOT)
                : problem.toString();
    }
}
