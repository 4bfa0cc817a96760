package io.dynamolock.spring.aspect;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Closes the registries of an application context when it closes: after the web server has finished its requests, and after
 * executors and message listeners have stopped, because all of these may hold locks. A context that is merely stopped may be
 * started again, as around a checkpoint of the process: its registries {@linkplain io.dynamolock.LockAdmin#pause() pause} until then.
 * One that is paused keeps them as they are. Thread-safe.
 */
public final class LockRegistryLifecycle implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

    /** Everything that says nothing about its phase has zero or more; the higher stop first. */
    public static final int PHASE = Integer.MIN_VALUE / 2;

    private final LockRegistryBeans registries;
    private final ApplicationContext context;
    private volatile boolean running;
    private volatile boolean closing;
    private volatile boolean paused;

    LockRegistryLifecycle(LockRegistryBeans registries, ApplicationContext context) {
        this.registries = registries;
        this.context = context;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext() == context) {
            closing = true;
        }
    }

    @Override
    public void start() {
        if (paused) {
            paused = false;
            registries.resume();
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (closing) {
            registries.close();
        } else {
            paused = true;
            registries.pause();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
