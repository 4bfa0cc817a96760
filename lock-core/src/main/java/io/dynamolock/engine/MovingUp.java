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

    private final KeyParts parts;
    private final Entrance entrance;
    private final Exit exit;

    MovingUp(KeyParts parts, Entrance entrance, Exit exit) {
        this.parts = parts;
        this.entrance = entrance;
        this.exit = exit;
    }

    /**
     * Fills the blocks that wait, from the front, with those who are next in this process.
     *
     * @return whether callers have come that no look was planned for
     */
    boolean step() {
        List<Block> waiting = parts.line.blocks().stream()
                .filter(block -> block.is(Stage.WAITING) && !block.isGivenUp() && entrance.growthOf(block) == null)
                .toList();
        for (int i = 0; i < waiting.size(); i++) {
            Block block = waiting.get(i);
            for (Block behind : waiting.subList(i + 1, waiting.size())) {
                block.joinedBy(behind.takeFirst(block.vacancies()));
            }
        }
        boolean hasJoined = false;
        // Those who are joining come before those who gather.
        if (entrance.isIdle()) {
            for (Block block : waiting) {
                Set<Caller> newcomers = parts.gathering.take(block.vacancies());
                block.joinedBy(newcomers);
                parts.waits.haveAPlace(newcomers);
                hasJoined |= !newcomers.isEmpty();
            }
        }
        return hasJoined;
    }

    /** Blocks in which nobody waits any more give up their places, unless somebody comes soon. */
    void retreat() {
        for (Block block : parts.line.blocks()) {
            if (block.is(Stage.WAITING) && !block.hasCallers() && entrance.growthOf(block) == null) {
                long now = parts.context.time.nanos();
                long since = block.desertedSince(now);
                if (block.isGivenUp()) {
                    exit.leave(block);
                } else if (since == now) {
                    parts.calls.later(() -> {}, PATIENCE);
                } else if (now - since >= PATIENCE.toNanos()) {
                    exit.leave(block);
                }
            }
        }
    }
}
