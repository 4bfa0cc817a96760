package io.dynamolock.chaos;

import io.dynamolock.chaos.Observed.FinalRegister;
import io.dynamolock.chaos.Observed.HolderSeen;
import io.dynamolock.chaos.Observed.Life;
import io.dynamolock.chaos.Registers.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The histories of all processes of a run, one file each, in one folder. */
final class Histories {

    private Histories() {}

    static Observed read(Path folder) {
        try (Stream<HistoryEvent> events = events(folder)) {
            return of(events);
        }
    }

    static Observed of(Stream<HistoryEvent> events) {
        Observed observed = new Observed();
        events.forEach(event -> add(observed, event));
        finish(observed);
        return observed;
    }

    /** The lines of all processes, in the order of time. */
    static List<String> slice(Path folder, long from, long to) {
        try (Stream<HistoryEvent> events = events(folder)) {
            return events.filter(event -> event.nanos() >= from && event.nanos() <= to)
                    .sorted(Comparator.comparing(HistoryEvent::nanos))
                    .map(HistoryEvent::line)
                    .toList();
        }
    }

    /** Whether this line is there. The file may still be growing, or not exist yet. */
    static boolean contains(Path file, String what) {
        try (Stream<String> lines = Files.exists(file) ? lines(file) : Stream.empty()) {
            return lines.anyMatch(line -> line.contains(" " + what + " "));
        }
    }

    private static Stream<HistoryEvent> events(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> histories = files.filter(file -> file.toString().endsWith(".history"))
                    .sorted()
                    .toList();
            return histories.stream().flatMap(Histories::lines).map(HistoryEvent::parse);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("StreamResourceLeak") // The caller closes the stream.
    private static Stream<String> lines(Path file) {
        try {
            return Files.lines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(Observed observed, HistoryEvent event) {
        if (event.fields().containsKey("id")) {
            addToAttempt(observed, event);
        } else if (event.fields().containsKey("target")) {
            addOfHarness(observed, event);
        } else {
            addOfProcess(observed, event);
        }
    }

    private static void addToAttempt(Observed observed, HistoryEvent event) {
        String id = event.text("id");
        Attempt attempt = observed.attempts.computeIfAbsent(id, name -> new Attempt(name, event.process()));
        boolean held = false;
        if (event.fields().containsKey("left")) {
            long left = event.number("left");
            held = left > 0;
            if (held) {
                attempt.validUntil = Math.max(attempt.validUntil, event.number("seen") + left);
            } else if (attempt.foundLost == Attempt.NONE) {
                attempt.foundLost = event.number("seen");
            }
        }
        switch (event.what()) {
            case "ask" -> {
                attempt.asked = event.nanos();
                attempt.key = event.text("key");
                attempt.mode = HoldMode.valueOf(event.text("mode"));
            }
            case "asked" -> attempt.arrived = event.nanos();
            case "queued" -> {
                attempt.queued = event.nanos();
                attempt.queuedToken = event.number("token");
                attempt.lossesWhenQueued = observed.life(event.process()).sessionsLost;
            }
            case "acquired" -> {
                // The listener is told of this and of a session's loss in the order in which they happened.
                int losses = observed.life(event.process()).sessionsLost;
                attempt.keptItsPlace = attempt.queued != Attempt.NONE && attempt.lossesWhenQueued == losses;
            }
            case "failed" -> observed.failures.merge(event.text("why"), 1, Integer::sum);
            case "grant" -> {
                attempt.granted = event.nanos();
                attempt.token = event.number("token");
            }
            case "holder" ->
                observed.holdersSeen.add(
                        new HolderSeen(id, event.number("seen"), event.text("owner"), event.number("last"), held));
            case "write" -> {
                RegisterWrite write = new RegisterWrite(
                        event.text("value"), id, event.text("register"), event.text("base"), event.nanos());
                observed.writes.put(write.value, write);
                observed.readValues.add(write.base);
            }
            case "wrote" -> {
                RegisterWrite write = observed.writes.get(event.text("value"));
                write.answered = event.number("seen");
                write.outcome = Outcome.valueOf(event.text("outcome"));
                write.why = event.text("why");
                write.heldAfter = held;
            }
            case "read" -> {
                observed.reads.add(
                        new RegisterRead(id, event.text("register"), event.text("value"), event.number("seen"), held));
                observed.readValues.add(event.text("value"));
            }
            case "downgrading" -> attempt.sharedSince = event.nanos();
            case "releasing" -> attempt.ended = event.nanos();
            case "released" -> {
                attempt.released = event.nanos();
                attempt.stillHeld = event.is("still");
            }
            case "lost", "told" -> attempt.toldOfLoss = true;
            case "downgraded" -> observed.downgrades++;
            case "unread", "not-downgraded" -> {}
            default -> throw new IllegalArgumentException(event.line());
        }
    }

    private static void addOfHarness(Observed observed, HistoryEvent event) {
        String target = event.text("target");
        switch (event.what()) {
            case "starting" -> observed.life(target).starting = event.nanos();
            case "fault" -> observed.faults.merge(event.text("fault"), 1, Integer::sum);
            case "killed" -> observed.life(target).killed = true;
            case "draining" -> observed.life(target).draining = true;
            case "stuck", "hung" -> observed.life(target).stuck = true;
            case "register" ->
                observed.registers.put(target, new FinalRegister(event.text("value"), event.number("landed")));
            case "left-to-next" -> observed.leftToNextWaiter++;
            case "left" -> observed.leftovers.add(event);
            default -> {}
        }
    }

    private static void addOfProcess(Observed observed, HistoryEvent event) {
        Life life = observed.life(event.process());
        switch (event.what()) {
            case "start" -> life.started = event.nanos();
            case "closing" -> life.closing = event.nanos();
            case "finished" -> life.finished = true;
            case "final" -> life.lastGrants++;
            case "crashed" -> life.crashes.add(event.text("why"));
            case "session-started" -> life.sessions.add(event.text("session"));
            case "session-lost" -> life.sessionsLost++;
            case "call-failed" -> life.couldNotEndSession |= event.text("step").equals("end_session");
            default -> {}
        }
    }

    /** Closing a registry ends all its grants. */
    private static void finish(Observed observed) {
        for (Attempt attempt : observed.attempts.values()) {
            long closing = observed.life(attempt.process).closing;
            if (closing != Attempt.NONE && (attempt.ended == Attempt.NONE || closing < attempt.ended)) {
                attempt.ended = closing;
            }
        }
    }
}
