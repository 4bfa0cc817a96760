package io.dynamolock.benchmarks.process;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.regions.Region;

/** A process that holds a lock until it is killed or frozen. It stops cleanly on {@code SIGTERM}. */
public final class HolderMain {

    private static final String HEAP = "96m";
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String NO_ENDPOINT = "-";

    /** Asks for the lock; answered by {@link #HELD} when it is held. */
    public static final String ACQUIRE = "acquire";
    /** Asks the handle and then the release whether the lock was lost; answered by {@link Knowledge}. */
    public static final String LEARNED = "learned";

    public static final String HELD = "held";

    /** What a lock says about itself. */
    public enum Says {
        HELD,
        LOST,
        /** The lock cannot be asked, or the question failed. */
        NOTHING
    }

    /**
     * What a holder that was frozen knows.
     *
     * @param asked the answer of its lock to the first question
     * @param released the answer of the release after that
     */
    public record Knowledge(Says asked, Says released) {

        String toLine() {
            return asked + " " + released;
        }

        public static Knowledge ofLine(String line) {
            String[] words = line.split(" ");
            return new Knowledge(Says.valueOf(words[0]), Says.valueOf(words[1]));
        }
    }

    private final LockProcess process;
    private final String key;
    private @Nullable HeldLock held;

    private HolderMain(LockProcess process, String key) {
        this.process = process;
        this.key = key;
    }

    /** Starts a holder. When this returns it has done a section with another key, as a warm-up. */
    public static ChildJvm start(Database database, Peer peer, String table, String key) {
        return ChildJvm.start(
                HolderMain.class,
                HEAP,
                List.of(
                        database.endpoint().map(URI::toString).orElse(NO_ENDPOINT),
                        database.region().id(),
                        Boolean.toString(database.local()),
                        database.roundTrip().toString(),
                        peer.id(),
                        table,
                        key));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Database database = new Database(
                arguments[0].equals(NO_ENDPOINT) ? Optional.empty() : Optional.of(URI.create(arguments[0])),
                Region.of(arguments[1]),
                Boolean.parseBoolean(arguments[2]),
                Duration.parse(arguments[3]));
        Peer peer = Peers.named(List.of(arguments[4])).get(0);
        String key = arguments[6];
        LockProcess process = peer.start(database, arguments[5], "holder-of-" + key, new CallMeter());
        Runtime.getRuntime().addShutdownHook(new Thread(process::close, "clean-stop"));
        Objects.requireNonNull(process.acquire("warm-up-of-" + key, WAIT)).release();
        HolderMain holder = new HolderMain(process, key);
        ChildJvm.serve(key, holder::answer);
        Runtime.getRuntime().halt(0);
    }

    private String answer(String question) throws InterruptedException {
        return switch (question) {
            case ACQUIRE -> {
                held = process.acquire(key, WAIT);
                yield held == null ? "not granted" : HELD;
            }
            case LEARNED -> new Knowledge(saysHeld(), saysReleased()).toLine();
            default -> throw new IllegalArgumentException(question);
        };
    }

    private Says saysHeld() {
        return Objects.requireNonNull(held)
                .saysHeld()
                .map(still -> still ? Says.HELD : Says.LOST)
                .orElse(Says.NOTHING);
    }

    private Says saysReleased() {
        try {
            return Objects.requireNonNull(held).release() ? Says.HELD : Says.LOST;
        } catch (RuntimeException failed) {
            System.err.println("Released after the loss: " + failed);
            return Says.NOTHING;
        }
    }
}
