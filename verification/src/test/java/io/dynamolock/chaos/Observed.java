package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Everything that was observed in a run, put together from all histories. */
final class Observed {

    final Map<String, Attempt> attempts = new LinkedHashMap<>();
    final Map<String, RegisterWrite> writes = new LinkedHashMap<>();
    final List<RegisterRead> reads = new ArrayList<>();
    final List<HolderSeen> holdersSeen = new ArrayList<>();
    final Map<String, Life> lives = new LinkedHashMap<>();
    final Map<String, FinalRegister> registers = new TreeMap<>();
    /** What was left in the lock table when all had ended and others had used the locks. */
    final List<HistoryEvent> leftovers = new ArrayList<>();
    /** Values that somebody read, as a reader or as the base of a write, whether or not that landed. */
    final Set<String> readValues = new TreeSet<>();

    final Map<String, Integer> faults = new TreeMap<>();
    final Map<String, Integer> failures = new TreeMap<>();
    int leftToNextWaiter;
    int downgrades;

    /**
     * What a holder read in the lock's item: whose entry held the lock, and its last ticket. Of several entries that
     * hold it together, the one of the holder's process that has the holder's ticket.
     */
    record HolderSeen(String attempt, long at, String owner, long lastTicket, boolean heldAfter) {}

    /** A register's value in the end, and how many writes the database has counted. */
    record FinalRegister(String value, long landed) {}

    /** One process of a worker. */
    static final class Life {
        /** The harness's clock before it was started. */
        long starting = Attempt.NONE;
        /** Its own first moment. */
        long started = Attempt.NONE;

        long closing = Attempt.NONE;
        boolean killed;
        boolean stuck;
        boolean finished;
        boolean draining;
        int lastGrants;
        final List<String> crashes = new ArrayList<>();
        final Set<String> sessions = new TreeSet<>();
        int sessionsLost;
        boolean couldNotEndSession;
    }

    Life life(String process) {
        return lives.computeIfAbsent(process, name -> new Life());
    }

    /** Those that were granted and are so, by what. */
    <K> Map<K, List<Attempt>> granted(Predicate<Attempt> isSo, Function<Attempt, K> by) {
        return granted().stream().filter(isSo).collect(Collectors.groupingBy(by));
    }

    List<Attempt> granted() {
        return attempts.values().stream().filter(Attempt::isGranted).toList();
    }
}
