package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.concurrency.StressCase;
import io.dynamolock.internal.engine.Moments;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A registry is closed while it is used: every caller is told, and nothing is left in the table. */
public final class RegistryStress {

    private RegistryStress() {}

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "acquire and close",
                        RegistryInPlay<String>::new,
                        play -> play.between(
                                () -> play.first = play.acquire(),
                                play::closeInAMoment,
                                () -> play.first + "; " + play.left()),
                        "LockClosedException; nothing left",
                        "granted; nothing left",
                        "granted and lost; nothing left"),
                StressCase.of(
                        "acquireAsync and close",
                        RegistryInPlay<CompletableFuture<LockHandle>>::new,
                        play -> play.between(
                                () -> play.first = play.acquireAsync(),
                                play::closeInAMoment,
                                () -> Moments.await(play.first::isDone)
                                        ? RegistryInPlay.name(play.first) + "; " + play.left()
                                        : "never completed"),
                        "LockClosedException; nothing left",
                        "granted and lost; nothing left"),
                StressCase.of(
                        "wait and close",
                        RegistryInPlay<String>::new,
                        play -> {
                            LockHandle holder = play.hold();
                            play.between(
                                    () -> play.first = play.acquire(),
                                    play::closeInAMoment,
                                    () -> play.first + (holder.isValid() ? "; held on; " : "; ") + play.left());
                        },
                        "LockClosedException; nothing left"),
                StressCase.of(
                        "validity and close",
                        RegistryInPlay<String>::new,
                        play -> {
                            LockHandle handle = play.hold();
                            play.between(
                                    () -> {
                                        Moments.pass();
                                        boolean isValid = handle.isValid();
                                        play.first = isValid + " "
                                                + !handle.remainingValidity().isZero();
                                    },
                                    () -> {
                                        play.registry.close();
                                        play.second = handle.isValid() + " "
                                                + play.registry.admin().held().size();
                                    },
                                    () -> play.first + "; " + play.second);
                        },
                        "true true; false 0",
                        "true false; false 0",
                        "false false; false 0"),
                StressCase.of(
                        "release and close",
                        RegistryInPlay<Boolean>::new,
                        play -> {
                            LockHandle handle = play.hold();
                            play.between(
                                    () -> play.first = handle.release(),
                                    play::closeInAMoment,
                                    () -> play.first + "; " + play.left());
                        },
                        "true; nothing left",
                        "false; nothing left"),
                // No close returns before the locks are free.
                StressCase.of(
                        "two closes",
                        RegistryInPlay<String>::new,
                        play -> {
                            LockHandle handle = play.hold();
                            play.between(
                                    () -> {
                                        play.registry.close();
                                        play.first = play.left();
                                    },
                                    () -> {
                                        play.closeInAMoment();
                                        play.second = play.left();
                                    },
                                    () -> (handle.isValid() ? "valid; " : "") + play.first + "; " + play.second);
                        },
                        "nothing left; nothing left"),
                StressCase.of(
                        "callback and close",
                        RegistryInPlay<AtomicInteger>::new,
                        play -> {
                            LockHandle handle = play.hold();
                            play.first = new AtomicInteger();
                            play.second = new AtomicInteger();
                            handle.onLost(play.first::incrementAndGet);
                            play.between(
                                    () -> {
                                        Moments.pass();
                                        handle.onLost(play.second::incrementAndGet);
                                    },
                                    play.registry::close,
                                    () -> {
                                        Moments.await(() -> play.first.get() > 0 && play.second.get() > 0);
                                        return play.first + " " + play.second;
                                    });
                        },
                        "1 1"));
    }
}
