package io.dynamolock.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The history that one process writes, line by line. The operating system has the line when {@code add} returns, so
 * that the line survives the process. Thread-safe.
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

    /** Adds a line about something that happened a moment ago, at this {@link System#nanoTime()}. */
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
