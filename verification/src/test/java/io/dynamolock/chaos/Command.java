package io.dynamolock.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Runs a command of the operating system, of which no word has a space in it. */
final class Command {

    private Command() {}

    /** @param output what it printed, also its errors */
    record Result(int exitCode, String output) {}

    /** Runs it, whatever comes of it; a command that does not exist has the exit code 127. */
    static Result tried(String command) {
        Process process;
        try {
            process = new ProcessBuilder(command.split(" "))
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return new Result(127, String.valueOf(e.getMessage()));
        }
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }

    /** @throws IllegalStateException if it fails */
    static String run(String command) {
        Result result = tried(command);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(
                    "'" + command + "' failed with " + result.exitCode() + ": " + result.output());
        }
        return result.output();
    }
}
