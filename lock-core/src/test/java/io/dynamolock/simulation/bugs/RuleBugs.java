package io.dynamolock.simulation.bugs;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.protocol.Change;
import io.dynamolock.protocol.Condition;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.Rules;
import io.dynamolock.simulation.Twist;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Conditions that a step no longer has, and changes that it makes wrongly. */
final class RuleBugs {

    static final List<Bug> ALL = List.of(
            without(
                    "ask though the queue is full",
                    step -> step instanceof Step.Ask ask && ask.most() > 1,
                    Condition.NobodyAt.class,
                    "the item grows beyond what a table can write",
                    10),
            without(
                    "ask if free though somebody holds the lock",
                    step -> step instanceof Step.Ask ask && ask.most() == 1,
                    Condition.NobodyAt.class,
                    "a caller that does not wait stands in the queue, and nobody takes it out",
                    1),
            without(
                    "ask though the entry is there",
                    step -> step instanceof Step.Ask,
                    Condition.Missing.class,
                    "a repeated ask stands in the queue twice, and one of them is never taken out",
                    1),
            without(
                    "grow whatever stands there",
                    step -> step instanceof Step.Grow,
                    Condition.EntryAt.class,
                    "a growth puts its block in the place of another",
                    18),
            without(
                    "grow though others stand behind",
                    step -> step instanceof Step.Grow,
                    Condition.NobodyAt.class,
                    "a busy process never lets others have the lock",
                    0),
            without(
                    "leave whatever stands there",
                    step -> step instanceof Step.Leave,
                    Condition.EntryAt.class,
                    "a late or repeated release takes out the next holder",
                    1),
            without(
                    "rename whatever is first",
                    step -> step instanceof Step.Rename,
                    Condition.EntryAt.class,
                    "a late rename takes the lock from the next holder",
                    13),
            lock(
                    "a new item's tickets start at one",
                    (step, item) -> step instanceof Step.Ask ask
                            ? new Step.Ask(ask.entry(), 0, ask.most()).on(item)
                            : step.on(item),
                    "after the table's TTL has removed an unused lock, its numbers start again below those given before",
                    48),
            lock(
                    "an ask puts its block first",
                    (step, item) -> {
                        Answer<LockItem> answer = step.on(item);
                        if (!(step instanceof Step.Ask ask) || !answer.isApplied()) {
                            return answer;
                        }
                        List<io.dynamolock.protocol.Entry> queue = new ArrayList<>(item.queue());
                        queue.add(0, ask.entry());
                        return new Answer.Applied<>(new LockItem(answer.item().tail(), queue));
                    },
                    "the last to come gets the lock first",
                    0),
            lock(
                    "a growth takes no tickets",
                    (step, item) -> {
                        Answer<LockItem> answer = step.on(item);
                        return step instanceof Step.Grow && answer.isApplied()
                                ? new Answer.Applied<>(
                                        new LockItem(item.tail(), answer.item().queue()))
                                : answer;
                    },
                    "two callers with the same fencing token",
                    2),
            session(
                    "a beat revives a dead session",
                    (step, item) -> step instanceof SessionStep.Beat beat && item.isEmpty()
                            ? new Answer.Applied<>(Optional.of(new SessionItem(
                                    beat.number(), Duration.ofSeconds(20), "revived", beat.at(), Set.of())))
                            : step.on(item),
                    "a process that was buried goes on believing in its locks",
                    46),
            session(
                    "a beat never answers disputes",
                    (step, item) -> step instanceof SessionStep.Beat && item.isPresent()
                            ? withoutDisputes(step.on(item))
                            : step.on(item),
                    "a write that landed late keeps the lock from everyone",
                    5),
            session(
                    "a beat in vain counts as one",
                    (step, item) -> step instanceof SessionStep.Beat && item.isPresent()
                            ? new Answer.Refused<>(item)
                            : step.on(item),
                    "every living session is buried",
                    0));

    private RuleBugs() {}

    private interface OfLock {
        Answer<LockItem> on(Step step, LockItem item);
    }

    private interface OfSession {
        Answer<Optional<SessionItem>> on(SessionStep step, Optional<SessionItem> item);
    }

    private static Answer<Optional<SessionItem>> withoutDisputes(Answer<Optional<SessionItem>> answer) {
        Optional<SessionItem> item = answer.item()
                .map(found -> new SessionItem(found.beat(), found.lease(), found.owner(), found.beatAt(), Set.of()));
        return answer.isApplied() ? new Answer.Applied<>(item) : new Answer.Refused<>(item);
    }

    /** The step is taken though a condition of this kind does not hold. */
    static Bug without(
            String name, Predicate<Step> steps, Class<? extends Condition> condition, String danger, long foundBy) {
        return lock(
                name, (step, item) -> steps.test(step) ? take(step, condition, item) : step.on(item), danger, foundBy);
    }

    private static Answer<LockItem> take(Step step, Class<? extends Condition> dropped, LockItem item) {
        boolean holds = step.conditions().stream()
                .filter(condition -> !dropped.isInstance(condition))
                .allMatch(condition -> condition.holds(item));
        if (!holds) {
            return new Answer.Refused<>(item);
        }
        LockItem changed = item;
        try {
            for (Change change : step.changes()) {
                changed = change.on(changed);
            }
        } catch (IndexOutOfBoundsException e) {
            // An expression that touches what is not there changes nothing.
            return new Answer.Refused<>(item);
        }
        return new Answer.Applied<>(changed);
    }

    private static Bug lock(String name, OfLock rule, String danger, long foundBy) {
        return bug(
                name,
                new Rules() {
                    @Override
                    public Answer<LockItem> on(Step step, LockItem item) {
                        return rule.on(step, item);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug session(String name, OfSession rule, String danger, long foundBy) {
        return bug(
                name,
                new Rules() {
                    @Override
                    public Answer<Optional<SessionItem>> on(SessionStep step, Optional<SessionItem> item) {
                        return rule.on(step, item);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug bug(String name, Rules rules, String danger, long foundBy) {
        Twist twist = new Twist() {
            @Override
            public Rules rules() {
                return rules;
            }
        };
        return new TwistedBug(name, () -> twist, danger, foundBy);
    }
}
