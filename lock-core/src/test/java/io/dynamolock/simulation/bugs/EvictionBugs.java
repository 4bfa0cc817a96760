package io.dynamolock.simulation.bugs;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.simulation.Rules;
import io.dynamolock.simulation.Twist;
import java.util.List;
import java.util.Optional;

/** Bugs in how places are given up because an operator wants it. */
final class EvictionBugs {

    static final List<Bug> ALL = List.of(
            new TwistedBug(
                    "a beat takes away evictions unheard",
                    EvictionBugs::unheard,
                    "an operator is told that a holder goes, and it never does",
                    5),
            new PatchedBug(
                    "the evictor takes the place out itself",
                    "engine/Evictions",
                    "write(session, new SessionStep.Evict(eviction), 1, answer -> told(session, answer, result), result);",
                    "strays.remove(eviction.key(), eviction.block(), false); result.complete(true);",
                    "two holders: the one that was put out has not heard of it",
                    5),
            new PatchedBug(
                    "an evicted holder goes on",
                    "engine/Hold",
                    "if (grant.lose(LossReason.EVICTED)) {",
                    "if (grant.isOver()) {",
                    "the lock stays with the caller that hangs",
                    5),
            new PatchedBug(
                    "who follows one that was evicted has its number",
                    "engine/Hold",
                    "cancelLimit(); current = null; needsNewNumber = true; } else {",
                    "cancelLimit(); current = null; } else {",
                    "a transaction of the one who was evicted still finds its block holding the lock",
                    5),
            new PatchedBug(
                    "all that wait in a place are evicted",
                    "engine/PuttingOut",
                    "block.callers().stream().filter(caller -> caller.joinedAs() <= reach).forEach(counted::add);",
                    "counted.addAll(block.callers());",
                    "callers are put out whom no operator has seen",
                    221),
            new PatchedBug(
                    "evictions are never taken away",
                    "engine/HeardEvictions",
                    "toTakeAway.addAll(shown);",
                    "",
                    "sessions fill up, until nothing can be evicted any more",
                    5));

    private EvictionBugs() {}

    private static Twist unheard() {
        Rules rules = new Rules() {
            @Override
            public Answer<Optional<SessionItem>> on(SessionStep step, Optional<SessionItem> item) {
                Optional<SessionItem> before =
                        step instanceof SessionStep.Beat ? item.map(EvictionBugs::without) : item;
                return step.on(before);
            }
        };
        return new Twist() {
            @Override
            public Rules rules() {
                return rules;
            }
        };
    }

    private static SessionItem without(SessionItem item) {
        return new SessionItem(
                item.beat(), item.lease(), item.owner(), item.beatAt(), item.disputes(), item.keptUntil());
    }
}
