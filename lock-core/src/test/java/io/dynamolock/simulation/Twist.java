package io.dynamolock.simulation;

import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.store.LockStore;

/** What the engine has around it is not as it should be: a bug on purpose. */
public interface Twist {

    /** Everything is as it should be. */
    Twist NONE = new Twist() {};

    /** What the table does with a step. */
    default Rules rules() {
        return Rules.INTACT;
    }

    /** What the engine of one process takes for the store. */
    default LockStore store(LockStore link, EventLoop loop, TimeSource clock) {
        return link;
    }

    /** What the engine is told of its settings. */
    default EngineSettings settings(EngineSettings settings) {
        return settings;
    }

    /** What the engine takes for the clocks. */
    default TimeSource clock(TimeSource clock) {
        return clock;
    }

    /** What the engine takes for its loop. */
    default EventLoop loop(EventLoop loop) {
        return loop;
    }

    /** What the engine takes for its listener. */
    default EngineListener listener(EngineListener listener) {
        return listener;
    }
}
