package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Callers that come to a lock take the places that others of their process have given up, without a write. Otherwise
 * callers with short waits would all leave from the front and ask again at the end, and nobody would ever be there when
 * its block came first. Blocks still come first in the order of their asks. Lives on the event loop.
 */
final class MovingUp {

    /** Callers that have given up mostly come back at once: their place waits for them for so long. */
    private static final Duration PATIENCE = Duration.ofMillis(3);

    private final EngineContext context;
    private final KeyCalls calls;
    private final Waits waits;
    private final Line line;

    MovingUp(EngineContext context, KeyCalls calls, Waits waits, Line line) {
        this.context = context;
        this.calls = calls;
        this.waits = waits;
        this.line = line;
    }

    /**
     * Fills the blocks that wait, from the front, with those who are next in this process.
     *
     * @return whether callers have come that no look was planned for
     */
    boolean step(Entrance entrance) {
        List<Block> waiting = line.blocks().stream()
                .filter(block -> block.is(Stage.WAITING) && entrance.growthOf(block) == null)
                .toList();
        for (int i = 0; i < waiting.size(); i++) {
            Block block = waiting.get(i);
            for (Block behind : waiting.subList(i + 1, waiting.size())) {
                block.joinedBy(behind.takeFirst(block.vacancies()));
            }
        }
        if (!entrance.isIdle()) {
            // Those who are joining come before those who gather.
            return false;
        }
        boolean hasJoined = false;
        for (Block block : waiting) {
            if (block.vacancies() > 0 && !waits.isEmpty()) {
                Set<Caller> newcomers = waits.take(block.vacancies());
                block.joinedBy(newcomers);
                waits.haveAPlace(newcomers);
                hasJoined = true;
            }
        }
        return hasJoined;
    }

    /** Whether nobody has come for so long that the block may give up its place. */
    boolean mayLeave(Block block) {
        if (!block.isDeserted()) {
            block.deserted(context.time.nanos());
            calls.later(() -> {}, PATIENCE);
        }
        return context.since(block.desertedSince()).compareTo(PATIENCE) >= 0;
    }
}
