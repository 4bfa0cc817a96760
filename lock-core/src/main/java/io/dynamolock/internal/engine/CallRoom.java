package io.dynamolock.internal.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * How many calls of several sorts may be under way at once. Each sort has a share of its own that the others cannot
 * take: if the calls of one sort are silent, the others go on. The rest of the room is taken by whichever sort comes
 * first. Lives on the event loop.
 */
final class CallRoom {

    /** A sort's own share is the whole room divided by this number, but at least one call. */
    private static final int PART_OF_SHARE = 16;

    private final int most;
    private final int ownOfEach;
    private final List<Share> shares = new ArrayList<>();

    /** @param most how many calls may be under way in all; more only if there are more sorts than that */
    CallRoom(int most) {
        this.most = most;
        this.ownOfEach = Math.max(1, most / PART_OF_SHARE);
    }

    /**
     * The room for another sort of calls.
     *
     * @param roomIsLeft called when a call of any sort has ended
     */
    Share share(Runnable roomIsLeft) {
        Share share = new Share(roomIsLeft);
        shares.add(share);
        return share;
    }

    /** The room for one sort of calls. */
    final class Share {

        private final Runnable roomIsLeft;

        /** How many calls of this sort are under way. */
        private int taken;

        private Share(Runnable roomIsLeft) {
            this.roomIsLeft = roomIsLeft;
        }

        boolean hasRoom() {
            int keptForOthers = shares.stream()
                    .filter(other -> other != this)
                    .mapToInt(other -> Math.max(ownOfEach, other.taken))
                    .sum();
            return taken < Math.max(ownOfEach, most - keptForOthers);
        }

        /** A call is sent. */
        void take() {
            taken++;
        }

        /** A call has ended. Calls of this sort that wait for room are sent before those of other sorts. */
        void giveBack() {
            taken--;
            roomIsLeft.run();
            shares.stream().filter(share -> share != this).forEach(share -> share.roomIsLeft.run());
        }
    }
}
