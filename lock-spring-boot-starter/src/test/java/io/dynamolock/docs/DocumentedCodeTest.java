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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
 * All Java on the pages compiles, with the imports that the page shows. A block is the body of a class, or that of a
 * method; the class extends {@link Surroundings}, which has what the page leaves to the reader. {@code ...} stands for
 * code that the reader adds. A block that consists of imports is for all others of its page. A block may also be a
 * piece of the sample or its tests, which the build compiles and runs; then the page links that file.
 */
class DocumentedCodeTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern MEMBERS = Pattern.compile(
            "(?s)^(@(?!Nullable)|public |private |static |class |record |interface |void |\\w+ \\w+\\().*");

    private static final Pattern IMPORTS = Pattern.compile("^(?:import [^;]+;\\n)+");

    /** A block with what makes a compilation unit of it, in lines of their own before and after it. */
    private static final class Source extends SimpleJavaFileObject {

        private final Path page;
        private final int line;
        private final String code;

        /** @param importsOfPage for all blocks of the page, in one line */
        Source(Path page, int number, int line, String importsOfPage, String text) {
            super(URI.create("string:///" + name(page, number) + ".java"), Kind.SOURCE);
            this.page = page;
            this.line = line;
            // In one line, with an empty one for each import, so that lines are counted as on the page.
            Matcher ownImports = IMPORTS.matcher(text);
            String own = ownImports.find() ? ownImports.group() : "";
            String block = text.substring(own.length());
            String before = "package io.dynamolock.docs; " + importsOfPage + own.replace('\n', ' ') + " abstract class "
                    + name(page, number) + " extends Surroundings { "
                    + "\n".repeat((int) own.lines().count());
            String body = block.replaceAll("\\bclass ([^{]*)\\{ \\.\\.\\. }", "abstract class $1{}")
                    .replaceAll("\\{ \\.\\.\\. }", "{ throw new UnsupportedOperationException(); }")
                    .replaceAll("(?m)^ *\\.\\.\\.\\n(?=}|    })", "throw new UnsupportedOperationException();\n")
                    .replaceAll("(?m)^ *\\.\\.\\.$", "");
            code = MEMBERS.matcher(block.stripLeading()).matches()
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
            String importsOfPage = importsOf(page);
            Matcher block = BLOCK.matcher(Pages.text(page));
            for (int i = 1; block.find(); i++) {
                if (isOfImports(block.group(1))
                        || pieceOfTheSample(block.group(1)).isPresent()) {
                    continue;
                }
                int line = (int)
                        Pages.text(page).substring(0, block.start(1)).lines().count();
                sources.add(new Source(page, i, line, importsOfPage, block.group(1)));
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

    @Test
    void aPageWithAPieceOfTheSampleLinksTheWholeFile() {
        for (Path page : Pages.all()) {
            String text = Pages.text(page);
            List<Path> files = BLOCK.matcher(text)
                    .results()
                    .map(block -> block.group(1))
                    .filter(block -> !isOfImports(block))
                    .flatMap(block -> pieceOfTheSample(block).stream())
                    .toList();
            assertThat(files)
                    .as(page.getFileName().toString())
                    .allSatisfy(file -> assertThat(text).contains("/" + file.getFileName() + ")"));
        }
    }

    private static boolean isOfImports(String block) {
        return IMPORTS.matcher(block).replaceFirst("").isBlank();
    }

    private static String importsOf(Path page) {
        return BLOCK.matcher(Pages.text(page))
                .results()
                .map(block -> block.group(1))
                .filter(DocumentedCodeTest::isOfImports)
                .map(imports -> imports.replace('\n', ' '))
                .collect(Collectors.joining());
    }

    /** The file of the sample that has this block. */
    private static Optional<Path> pieceOfTheSample(String block) {
        String piece = withoutSpaces(block).replaceAll("}$", "");
        try (Stream<Path> sources = Files.walk(Pages.ROOT.resolve("sample-app/src"))) {
            return sources.filter(source -> source.toString().endsWith(".java"))
                    .filter(source -> withoutSpaces(Pages.text(source)).contains(piece))
                    .findFirst();
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
