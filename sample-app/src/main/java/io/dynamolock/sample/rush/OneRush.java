package io.dynamolock.sample.rush;

import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;

/** In this process one rush at a time, whoever began it: each counts the calls of the whole process. Thread-safe. */
@Component
public class OneRush {

    private final AtomicBoolean underWay = new AtomicBoolean();

    /** @return false if another one is under way; else {@link #end} must be called */
    public boolean begin() {
        return underWay.compareAndSet(false, true);
    }

    public void end() {
        underWay.set(false);
    }
}
