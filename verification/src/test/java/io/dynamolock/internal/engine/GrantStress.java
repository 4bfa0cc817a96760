package io.dynamolock.internal.engine;

import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import io.dynamolock.internal.protocol.Entry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The end of a grant is decided once and reported once, whoever ends it. */
public final class GrantStress {

    private static final String RELEASED = "1 released; 0 lost; 0 told; 0 held";
    private static final String LOST = "0 released; 1 lost; 1 told; 0 held";
    private static final String[] NEVER_VALID_AGAIN = {"true true false", "true false false", "false false false"};

    /** A grant that the threads of a race end. */
    private static class Play<A> extends Race<A> {

        final EngineInPlay engine = new EngineInPlay();
        final Grant grant = engine.hold();

        void lose() {
            EngineInPlay.lose(grant);
        }

        void tellMe() {
            engine.tellMe(grant);
        }

        String story() {
            return engine.settle().story();
        }
    }

    /** The holder is told of a loss. */
    private static final class Release extends Play<CompletableFuture<Boolean>> {

        void releaseWhile(Runnable end) {
            tellMe();
            between(() -> first = grant.release(null), end, () -> {
                String story = story();
                String both = second == null ? "" : EngineInPlay.answer(second) + "; ";
                return EngineInPlay.answer(first) + "; " + both + story;
            });
        }
    }

    private static final class Look extends Play<Boolean> {

        void lookWhile(Runnable end) {
            between(
                    () -> {
                        first = grant.isValid();
                        second = grant.isValid();
                    },
                    end,
                    () -> first + " " + second + " " + grant.isValid());
        }
    }

    /** The release of a lock with a shortest hold of a minute takes effect only after that minute. */
    private static final class Limits extends Play<Boolean> {

        private final HoldLimits before = grant.limits();
        private CompletableFuture<Boolean> release;

        void releaseWhileLimited() {
            HoldLimits held = new HoldLimits(before.maxHold(), Duration.ofMinutes(1));
            between(() -> release = grant.release(null), () -> first = grant.limit(before, held), () -> {
                engine.settle();
                return "changed " + first + "; released " + EngineInPlay.answer(release) + "; " + engine.ends.released
                        + " " + grant.limits().holdAtLeast();
            });
        }

        void limitTwice() {
            between(
                    () -> first = grant.limit(before, new HoldLimits(Duration.ofSeconds(5), null)),
                    () -> second = grant.limit(before, new HoldLimits(Duration.ofSeconds(6), null)),
                    () -> grant.limits().maxHold() + " " + first + " " + second);
        }
    }

    /** Two callers, served by one entry unless the fence of that entry was given out. */
    private static final class Fences extends Race<Optional<Entry>> {

        private final EngineInPlay engine = new EngineInPlay().started();
        private final Acquisition holder = engine.acquire();
        private final Acquisition next = engine.acquire();

        void releaseWhileFenced() {
            engine.settle();
            Grant grant = EngineInPlay.grant(holder);
            between(
                    () -> first = grant.fence(),
                    () -> {
                        grant.release(null);
                        engine.settle();
                    },
                    this::story);
        }

        private String story() {
            engine.settle();
            String how = EngineInPlay.name(next);
            boolean isShared = how.equals("Granted")
                    && first.equals(Optional.of(EngineInPlay.grant(next).entry()));
            return (first.isEmpty() ? "no fence; " : isShared ? "shared fence; " : "fence of its own; ") + how;
        }
    }

    private GrantStress() {}

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "release and loss",
                        Release::new,
                        play -> play.releaseWhile(play::lose),
                        "true; " + RELEASED,
                        "false; " + LOST),
                // Too late for both: the grant is lost, and that is reported once.
                StressCase.of(
                        "late release and loss",
                        Release::new,
                        play -> {
                            play.engine.time.advance(EngineInPlay.SETTINGS.lease());
                            play.releaseWhile(play::lose);
                        },
                        "false; " + LOST),
                StressCase.of(
                        "two releases",
                        Release::new,
                        play -> play.releaseWhile(() -> play.second = play.grant.release(null)),
                        "true; true; " + RELEASED),
                StressCase.of(
                        "release and end of the longest hold",
                        Release::new,
                        play -> play.releaseWhile(() -> {
                            play.engine.time.advance(EngineInPlay.MAX_HOLD);
                            play.grant.isValid();
                        }),
                        "true; " + RELEASED,
                        "false; " + LOST),
                // The limits at the end of the grant stay.
                StressCase.of(
                        "release and limit",
                        Limits::new,
                        Limits::releaseWhileLimited,
                        "changed true; released true; 0 PT1M",
                        "changed false; released true; 1 null"),
                // Each change was made from the first limits, so exactly one of them takes effect.
                StressCase.of("two limits", Limits::new, Limits::limitTwice, "PT5S true false", "PT6S false true"),
                StressCase.of(
                        "callback and loss",
                        Play<Void>::new,
                        play -> play.between(play::tellMe, play::lose, play::story),
                        LOST),
                StressCase.of(
                        "callback and release",
                        Play<Void>::new,
                        play -> play.between(play::tellMe, () -> play.grant.release(null), play::story),
                        RELEASED),
                StressCase.of("validity and loss", Look::new, play -> play.lookWhile(play::lose), NEVER_VALID_AGAIN),
                StressCase.of(
                        "validity and shutdown",
                        Look::new,
                        play -> play.lookWhile(play.engine.engine::shutdown),
                        NEVER_VALID_AGAIN),
                // The next caller does not hold the lock by the entry that the fence names.
                StressCase.of(
                        "fence and release",
                        Fences::new,
                        Fences::releaseWhileFenced,
                        "no fence; Granted",
                        "fence of its own; Granted"));
    }
}
