package io.dynamolock.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages for people: those of the folder {@code docs}, and those beside it. */
final class Pages {

    static final Path ROOT = Path.of("..");

    private Pages() {}

    static List<Path> all() {
        try (Stream<Path> beside = Files.list(ROOT);
                Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(beside, docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .map(Path::normalize)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
