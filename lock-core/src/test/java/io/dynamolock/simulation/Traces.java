package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers of everything in the table which write brought it there, to tell what may be left at the end: only what
 * landed after its client had given up on it and after it had been taken back, or what the killed left.
 */
final class Traces {

    private record Origin(String process, boolean late, boolean takenBack) {}

    /** A process that has more sessions to end than this forgets the oldest. */
    private static final int MOST_SESSIONS_TO_END = 64;

    private final VirtualTime time;
    private final Map<BlockId, Origin> blocks = new HashMap<>();
    /** Blocks that their own process has tried to take out. */
    private final Set<BlockId> left = new HashSet<>();
    /** When a process last sent a call about a lock that has landed since. */
    private final Map<String, Long> lookedSince = new HashMap<>();

    private final Map<BlockId, Long> askEnded = new HashMap<>();
    /** How many calls that give a block its number have had no answer, so that its process knows that they may land late. */
    private final Map<BlockId, Integer> unanswered = new HashMap<>();

    private final Map<SessionId, Origin> sessions = new HashMap<>();
    private final Map<String, Integer> sessionsOf = new HashMap<>();
    private final Set<SessionId> ended = new HashSet<>();
    private final Set<SessionId> lost = new HashSet<>();
    /** Sessions that only keep a lock whose process has stopped. */
    private final Set<SessionId> keeping = new HashSet<>();
    /** Blocks whose lock is kept. */
    private final Set<BlockId> kept = new HashSet<>();
    /** Processes that left without being able to clean up. */
    private final Set<String> goneInAHurry = new HashSet<>();

    Traces(VirtualTime time) {
        this.time = time;
    }

    void goneInAHurry(String process) {
        goneInAHurry.add(process);
    }

    /** Whether the block landed when its process had given it up. */
    boolean isStray(BlockId block) {
        Origin origin = blocks.get(block);
        return origin != null && origin.late() && origin.takenBack();
    }

    /** Whether its own process has ended the session. */
    boolean hasEnded(SessionId session) {
        return ended.contains(session);
    }

    /** Whether the process has left without being able to clean up. */
    boolean isGone(String process) {
        return goneInAHurry.contains(process);
    }

    void sends(Step step) {
        BlockId block = numbered(step);
        if (block != null) {
            unanswered.merge(block, 1, Integer::sum);
        }
    }

    /** The client has an answer, or knows that the step had no effect. */
    void answers(Step step) {
        BlockId block = numbered(step);
        if (block != null) {
            unanswered.merge(block, -1, Integer::sum);
        }
    }

    /** The block that gets its number by the step; {@code null} if none does. */
    private static @Nullable BlockId numbered(Step step) {
        if (step instanceof Step.Ask ask) {
            return ask.entry().block();
        }
        return step instanceof Step.Rename rename
                        && !rename.to().block().equals(rename.from().block())
                ? rename.to().block()
                : null;
    }

    /** Whether each call that gave the block its number was answered: its process cannot know that one lands again. */
    boolean isSure(BlockId block) {
        return unanswered.getOrDefault(block, 0) == 0;
    }

    /** The client of this step has an answer or has given up. */
    void ends(Step step) {
        if (step instanceof Step.Ask ask) {
            askEnded.put(ask.entry().block(), time.nanos());
        }
    }

    void lands(StoreCall call, LockKey key, Step step, Answer<LockItem> answer) {
        if (step instanceof Step.Ask ask) {
            BlockId block = ask.entry().block();
            if (!answer.isApplied() && answer.item().indexOf(block) < 0) {
                // Its process hears that it does not stand there.
                left.add(block);
            }
            if (answer.isApplied()) {
                blocks.put(block, new Origin(call.process(), call.isLate(), wasTakenBack(call, key, block)));
            }
        } else if (step instanceof Step.Leave leave) {
            for (Entry entry : leave.entries().values()) {
                if (owner(entry.session()).equals(call.process())) {
                    left.add(entry.block());
                }
            }
        } else if (step instanceof Step.Rename rename && answer.isApplied()) {
            BlockId block = rename.to().block();
            blocks.put(block, new Origin(call.process(), call.isLate(), left.contains(block)));
            if (!rename.to().block().equals(rename.from().block())) {
                left.add(rename.from().block());
            }
            if (isKeeping(rename.to().session())) {
                kept.add(rename.from().block());
            }
        }
        looks(call, key);
    }

    /** Its process has taken it out, or has looked since it gave up on the ask. */
    private boolean wasTakenBack(StoreCall call, LockKey key, BlockId block) {
        Long ended = askEnded.get(block);
        Long looked = lookedSince.get(call.process() + " " + key);
        return left.contains(block) || ended != null && looked != null && looked > ended;
    }

    void looks(StoreCall call, LockKey key) {
        lookedSince.merge(call.process() + " " + key, call.sentAt, Math::max);
    }

    void beginningSent(StoreCall call) {
        sessionsOf.merge(call.process(), 1, Integer::sum);
    }

    void lands(StoreCall call, SessionId id, SessionStep step) {
        if (step instanceof SessionStep.Begin begin) {
            sessions.put(id, new Origin(call.process(), call.isLate(), ended.contains(id)));
            if (begin.keptUntil() != null) {
                keeping.add(id);
            }
        } else if (step instanceof SessionStep.End) {
            ended.add(id);
        }
    }

    /** Which process the session belongs to. */
    String owner(SessionId id) {
        Origin origin = sessions.get(id);
        return origin == null ? "nobody" : origin.process();
    }

    /** Whether the session only keeps a lock, by which nobody holds it. */
    boolean isKeeping(SessionId session) {
        return keeping.contains(session);
    }

    /** Whether the lock that was held with this block is kept, though its process has stopped. */
    boolean isKept(BlockId block) {
        return kept.contains(block);
    }

    /** The entries of a session that its process has lost, or left to keep a lock, are cleared away by the next who wants it. */
    boolean mayBeLeft(Entry entry) {
        return lost.contains(entry.session()) || isKeeping(entry.session()) || isExcused(blocks.get(entry.block()));
    }

    void lost(SessionId session) {
        lost.add(session);
    }

    boolean mayBeLeft(SessionId id) {
        Origin origin = sessions.get(id);
        return isExcused(origin)
                || origin != null && sessionsOf.getOrDefault(origin.process(), 0) > MOST_SESSIONS_TO_END;
    }

    private boolean isExcused(@Nullable Origin origin) {
        return origin != null && (origin.late() && origin.takenBack() || goneInAHurry.contains(origin.process()));
    }
}
