package io.dynamolock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A callback of a user's, whose failure stops nothing else. */
final class GuardedCallback {

    private static final Logger log = LoggerFactory.getLogger(GuardedCallback.class);

    private GuardedCallback() {}

    static Runnable of(Runnable callback) {
        return () -> {
            try {
                callback.run();
            } catch (Throwable e) {
                log.error("A callback for a lost lock failed", e);
            }
        };
    }
}
