package io.dynamolock.internal.engine;

import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Threads of callers against the loop of a whole engine: nobody waits for ever, and no lock stays held without a
 * holder.
 */
public final class EngineStress {

    private static final String RELEASED = "true; 1 released; 0 lost; 0 told; 0 held; 0 queued; 0 waiting; 1 heard of";
    private static final String LOST = "false; 0 released; 1 lost; 1 told; 0 held; 0 queued; 0 waiting; 1 heard of";

    private static final class Play<A> extends Race<A> {

        final EngineInPlay engine = new EngineInPlay();

        void pause() {
            engine.engine.pause();
            engine.settle();
        }

        String left(Acquisition acquisition) {
            engine.settle();
            return EngineInPlay.name(acquisition) + "; " + engine.left();
        }
    }

    private EngineStress() {}

    /** The holder is told of a loss. */
    private static void release(Play<CompletableFuture<Boolean>> play, Runnable meanwhile) {
        Grant grant = play.engine.hold();
        play.engine.tellMe(grant);
        play.between(() -> play.first = grant.release(null), meanwhile, () -> {
            play.engine.settle();
            return EngineInPlay.answer(play.first) + "; " + play.engine.story() + "; " + play.engine.left();
        });
    }

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "abandon and grant",
                        Play<Void>::new,
                        play -> {
                            Acquisition acquisition = play.engine.started().acquire();
                            play.between(acquisition::abandon, play.engine::settle, () -> play.left(acquisition));
                        },
                        "Abandoned; 0 queued; 0 waiting; 1 heard of",
                        "Granted; 0 queued; 0 waiting; 1 heard of"),
                StressCase.of(
                        "grant and shutdown",
                        Play<Void>::new,
                        play -> {
                            Acquisition acquisition = play.engine.started().acquire();
                            play.between(
                                    play.engine.engine::shutdown,
                                    play.engine::settle,
                                    () -> play.left(acquisition) + "; " + play.engine.story());
                        },
                        "Closed; 0 queued; 0 waiting; 1 heard of; 0 released; 0 lost; 0 told; 0 held",
                        "Granted; 0 queued; 0 waiting; 1 heard of; 0 released; 1 lost; 0 told; 0 held"),
                StressCase.of(
                        "release and pause",
                        Play<CompletableFuture<Boolean>>::new,
                        play -> release(play, play::pause),
                        RELEASED,
                        LOST),
                // A caller that asks while an engine is being paused is served by the next engine, whichever came
                // first.
                StressCase.of(
                        "acquire and pause",
                        Play<Acquisition>::new,
                        play -> {
                            play.engine.started();
                            play.between(
                                    () -> play.first = play.engine.acquire(),
                                    () -> {
                                        play.pause();
                                        play.engine.engine.resume();
                                    },
                                    () -> play.left(play.first) + "; valid "
                                            + EngineInPlay.grant(play.first).isValid());
                        },
                        "Granted; 1 queued; 0 waiting; 1 heard of; valid true"));
    }
}
