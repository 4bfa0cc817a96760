package io.dynamolock.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.function.Supplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * The test class for jcstress: it makes two threads meet in the present race, again and again. {@link StressCase}
 * judges the outcomes.
 */
@JCStressTest
@Outcome(expect = ACCEPTABLE)
@State
public class StressFrame {

    static volatile Supplier<Race<?>> races;

    private final Race<?> race = races.get();

    @Actor
    public void one() {
        race.one.run();
    }

    @Actor
    public void other() {
        race.other.run();
    }

    @Arbiter
    public void end(L_Result result) {
        result.r1 = race.end.get();
    }
}
