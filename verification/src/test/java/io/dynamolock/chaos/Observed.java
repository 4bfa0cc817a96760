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

/** All observations of a run, put together from the histories of all processes. */
final class Observed {

    final Map<String, Attempt> attempts = new LinkedHashMap<>();
    final Map<String, RegisterWrite> writes = new LinkedHashMap<>();
    final List<RegisterRead> reads = new ArrayList<>();
    final List<HolderSeen> holdersSeen = new ArrayList<>();
    final Map<String, Life> lives = new LinkedHashMap<>();
    final Map<String, FinalRegister> registers = new TreeMap<>();
    /** The content of the lock table after all workers had ended and other callers had used the locks. */
    final List<HistoryEvent> leftovers = new ArrayList<>();
    /** Values that were read, by readers or before a write, whether or not the write landed. */
    final Set<String> readValues = new TreeSet<>();

    final Map<String, Integer> faults = new TreeMap<>();
    final Map<String, Integer> failures = new TreeMap<>();
    int leftToNextWaiter;
    int downgrades;

    /**
     * What a holder read in the lock's item: the owner and the last ticket of the entry that held the lock. Of several
     * entries that hold the lock together, the one of the holder's process that has the holder's ticket.
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

    /** The granted attempts that fulfil the condition, grouped by the classifier. */
    <K> Map<K, List<Attempt>> granted(Predicate<Attempt> condition, Function<Attempt, K> classifier) {
        return granted().stream().filter(condition).collect(Collectors.groupingBy(classifier));
    }

    List<Attempt> granted() {
        return attempts.values().stream().filter(Attempt::isGranted).toList();
    }
}
