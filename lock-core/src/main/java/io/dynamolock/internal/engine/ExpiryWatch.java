package io.dynamolock.internal.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells that the validity of a grant runs out: once, and again if its owner has put the end off meanwhile. Lives on the event loop, but for
 * {@link #tell}.
 */
final class ExpiryWatch {

    private final EventLoop loop;
    private final Grant grant;
    private final Duration before;
    private final Runnable news;
    private final AtomicBoolean told = new AtomicBoolean();
    private EventLoop.Timer timer = () -> {};

    ExpiryWatch(EventLoop loop, Grant grant, Duration before, Runnable news) {
        this.loop = loop;
        this.grant = grant;
        this.before = before;
        this.news = news;
    }

    /** Each heartbeat puts the end off, and so may the owner: looks again when it would be near without any. */
    void check() {
        timer.cancel();
        Duration rest = grant.remaining().minus(before);
        if (!rest.isNegative() && !rest.isZero()) {
            told.set(false);
        } else {
            tell();
            // If that is because heartbeats are missing, and they come again, the end of the longest hold is still to
            // be told.
            Duration maxHold = grant.limits().maxHold();
            rest = maxHold == null || !grant.isValid()
                    ? Duration.ZERO
                    : maxHold.minus(grant.held()).minus(before);
        }
        if (!rest.isNegative() && !rest.isZero()) {
            timer = loop.schedule(
                    () -> {
                        // A loss is told once.
                        if (grant.isValid()) {
                            told.set(false);
                        }
                        check();
                    },
                    rest);
        }
    }

    void tell() {
        if (told.compareAndSet(false, true)) {
            news.run();
        }
    }

    void end() {
        timer.cancel();
    }
}
