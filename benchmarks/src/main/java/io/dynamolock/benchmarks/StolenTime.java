package io.dynamolock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * How much of the time for which this machine wanted its processors the host gave to other machines, from the first
 * line of {@code /proc/stat}. Zero where there is no such file.
 */
final class StolenTime {

    private static final Path STATISTICS = Path.of("/proc/stat");
    /**
     * The fields of that line after its name: user, nice, system, idle, waiting for I/O, interrupts of two kinds,
     * stolen.
     */
    private static final int IDLE = 3;

    private static final int WAITING = 4;
    private static final int STOLEN = 7;

    private final long[] before = read();

    /** The share since this object was made, from 0 to 1. */
    double share() {
        long[] now = read();
        long wanted = 0;
        for (int i = 0; i <= STOLEN; i++) {
            wanted += i == IDLE || i == WAITING ? 0 : now[i] - before[i];
        }
        return wanted == 0 ? 0 : (double) (now[STOLEN] - before[STOLEN]) / wanted;
    }

    private static long[] read() {
        try (Stream<String> lines = Files.lines(STATISTICS)) {
            long[] fields = lines.findFirst().stream()
                    .flatMap(line -> Arrays.stream(line.split(" +")).skip(1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            return Arrays.copyOf(fields, STOLEN + 1);
        } catch (IOException e) {
            return new long[STOLEN + 1];
        }
    }
}
