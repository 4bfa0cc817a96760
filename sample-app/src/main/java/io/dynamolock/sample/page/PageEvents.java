package io.dynamolock.sample.page;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends the state of the page to all its readers whenever the state has changed. Without readers, nothing is read. It
 * stops before the web server, which would otherwise wait for the readers. Thread-safe.
 */
@Component
class PageEvents implements SmartLifecycle, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(PageEvents.class);

    static final int MOST_SUBSCRIBERS = 16;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(150);

    /**
     * After so many looks without a change the state is sent all the same, so that a reader who has left is noticed.
     */
    private static final int LOOKS_BETWEEN_REPEATS = 60;

    private final Stage stage;
    private final JsonMapper json;
    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();

    /** A thread for each subscriber, so that a slow subscriber holds up no other. */
    private final ExecutorService senders =
            new ThreadPoolExecutor(0, MOST_SUBSCRIBERS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "page-sender");
                thread.setDaemon(true);
                return thread;
            });

    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "page-look");
        thread.setDaemon(true);
        return thread;
    });

    private @Nullable ScheduledFuture<?> looking;
    private volatile boolean running;

    /** Whether a new reader waits for a first state. */
    private volatile boolean someoneNew;

    /** Confined to the thread that looks. */
    private String last = "";

    private int unchanged;

    PageEvents(Stage stage, JsonMapper json) {
        this.stage = stage;
        this.json = json;
    }

    /** @return empty if there are too many readers, or the application is about to end */
    synchronized Optional<Subscriber> subscribe(Subscriber.Connection connection) {
        if (!running || subscribers.size() >= MOST_SUBSCRIBERS) {
            return Optional.empty();
        }
        Subscriber[] self = new Subscriber[1];
        Subscriber subscriber = new Subscriber(connection, senders, () -> subscribers.remove(self[0]));
        self[0] = subscriber;
        subscribers.add(subscriber);
        someoneNew = true;
        return Optional.of(subscriber);
    }

    void unsubscribe(Subscriber subscriber) {
        subscribers.remove(subscriber);
    }

    private void look() {
        if (subscribers.isEmpty()) {
            return;
        }
        try {
            boolean forAll = someoneNew;
            someoneNew = false;
            String state = json.writeValueAsString(stage.look());
            if (!forAll && state.equals(last) && unchanged++ < LOOKS_BETWEEN_REPEATS) {
                return;
            }
            unchanged = 0;
            last = state;
            subscribers.forEach(subscriber -> subscriber.offer(state));
        } catch (RuntimeException failure) {
            log.warn("The page's state could not be sent", failure);
        }
    }

    @Override
    public synchronized void start() {
        running = true;
        looking = looks.scheduleWithFixedDelay(
                this::look, BETWEEN_LOOKS.toMillis(), BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** It can be started again after this. */
    @Override
    public synchronized void stop() {
        running = false;
        if (looking != null) {
            looking.cancel(false);
        }
        subscribers.forEach(Subscriber::end);
        subscribers.clear();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void destroy() {
        looks.shutdownNow();
        senders.shutdownNow();
    }
}
