package io.dynamolock.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The history one process writes, a line at a time: each is with the operating system when {@code add} returns, so it
 * survives the process. Thread-safe.
 */
final class HistoryFile implements AutoCloseable {

    private final String process;
    private final OutputStream file;

    HistoryFile(Path path, String process) throws IOException {
        this.process = process;
        this.file = new FileOutputStream(path.toFile(), true);
    }

    /** @param text {@code what field=%s ...}, with a value for each {@code %s} */
    void add(String text, Object... values) {
        addAt(System.nanoTime(), text, values);
    }

    /** For what happened at this {@link System#nanoTime()}, a moment ago. */
    void addAt(long nanos, String text, Object... values) {
        byte[] bytes = (HistoryEvent.line(nanos, process, text, values) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (this) {
            try {
                file.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
