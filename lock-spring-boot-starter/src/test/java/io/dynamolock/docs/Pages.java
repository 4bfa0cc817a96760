package io.dynamolock.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages for people: those of the folders {@code docs} and {@code benchmarks}, and those beside them. */
final class Pages {

    static final Path ROOT = Path.of("..");

    private Pages() {}

    static List<Path> all() {
        return Stream.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("benchmarks"))
                .flatMap(folder -> in(folder).stream())
                .toList();
    }

    private static List<Path> in(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".md"))
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
