package io.dynamolock.sample.rush;

import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;

/** Allows one rush at a time in this process, because each rush counts the calls of the whole process. Thread-safe. */
@Component
public class OneRush {

    private final AtomicBoolean underWay = new AtomicBoolean();

    /** @return false if another rush is under way; otherwise {@link #end} must be called */
    public boolean begin() {
        return underWay.compareAndSet(false, true);
    }

    public void end() {
        underWay.set(false);
    }
}
