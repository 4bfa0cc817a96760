package io.dynamolock.engine;

import io.dynamolock.internal.engine.EventLoop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Tells that the validity of a grant runs out: once, and again if its owner has put the end off meanwhile. Its timer lives on
 * the event loop; the rest is thread-safe.
 */
final class ExpiryWatch {

    private final EventLoop loop;
    private final GrantedLock grant;
    private final Duration before;
    private final Runnable news;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile boolean over;
    private volatile EventLoop.@Nullable Timer timer;

    private ExpiryWatch(EventLoop loop, GrantedLock grant, Duration before, Runnable news) {
        this.loop = loop;
        this.grant = grant;
        this.before = before;
        this.news = news;
    }

    /** @throws IllegalArgumentException if so little is left before each heartbeat, though all is well */
    static ExpiryWatch of(EngineContext context, GrantedLock grant, Duration before, Runnable news) {
        Duration most = context.settings.leastValidity();
        if (before.isNegative() || before.isZero() || before.compareTo(most) >= 0) {
            throw new IllegalArgumentException("onExpiring was given " + before
                    + ", but needs more than zero and less than "
                    + most
                    + ": so little may be left of a lock's validity while a heartbeat is on its way, though all is well."
                    + " Give less, or build the registry with a longer lease.");
        }
        return new ExpiryWatch(context.loop, grant, before, news);
    }

    /** Each heartbeat puts the end off, and so may the owner: looks again when it would be near without any. */
    void check() {
        cancel();
        if (over || grant.isOver()) {
            // Released, or lost: that is told by itself.
            return;
        }
        Duration rest = grant.remainingValidity().minus(before);
        if (rest.isNegative() || rest.isZero()) {
            tell();
            Duration longest = grant.restOfLongestHold();
            if (longest != null && longest.compareTo(before) > 0) {
                // Beats are missing. If they come again, that end is still to be told.
                timer = loop.schedule(this::checkAgain, longest.minus(before));
            }
        } else {
            told.set(false);
            timer = loop.schedule(this::check, rest);
        }
    }

    private void checkAgain() {
        told.set(false);
        check();
    }

    void tell() {
        if (told.compareAndSet(false, true)) {
            cancel();
            news.run();
        }
    }

    void end() {
        over = true;
        cancel();
    }

    private void cancel() {
        EventLoop.Timer pending = timer;
        if (pending != null) {
            pending.cancel();
        }
    }
}
