package io.dynamolock.sample.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubscriberTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void aSlowReaderHoldsUpNobodyAndThenSeesTheNewestState() {
        Reader slow = new Reader(new CountDownLatch(1));
        Reader quick = new Reader(new CountDownLatch(0));
        Subscriber toSlow = new Subscriber(slow, threads, () -> {});
        Subscriber toQuick = new Subscriber(quick, threads, () -> {});

        toSlow.offer("0");
        await().until(() -> slow.began.get() == 1);
        for (int state = 1; state <= 1_000; state++) {
            toSlow.offer("" + state);
            toQuick.offer("" + state);
        }
        await().until(() -> quick.seen.contains("1000"));
        assertThat(slow.seen).isEmpty();

        slow.gate.countDown();
        await().until(() -> slow.seen.contains("1000"));
        assertThat(slow.seen).containsExactly("0", "1000");
    }

    @Test
    void aReaderWhoLeftIsForgottenAndNothingMoreIsSent() throws IOException {
        AtomicInteger gone = new AtomicInteger();
        Subscriber.Connection left = mock(Subscriber.Connection.class);
        willThrow(new IOException("left")).given(left).send(any());
        Subscriber subscriber = new Subscriber(left, Runnable::run, gone::incrementAndGet);

        subscriber.offer("1");
        subscriber.offer("2");

        assertThat(gone).hasValue(1);
        then(left).should().send(any());
    }

    @Test
    void anEndWaitsForNoSlowReaderAndNothingComesAfterIt() {
        Reader slow = new Reader(new CountDownLatch(1));
        Subscriber subscriber = new Subscriber(slow, threads, () -> {});
        subscriber.offer("0");
        await().until(() -> slow.began.get() == 1);

        subscriber.offer("1");
        subscriber.end();
        assertThat(slow.ends).hasValue(0);

        slow.gate.countDown();
        await().until(() -> slow.ends.get() == 1);
        subscriber.offer("2");
        assertThat(slow.seen).containsExactly("0");
        assertThat(slow.ends).hasValue(1);
    }

    @Test
    void aStateForWhichThereIsNoThreadIsFollowedByTheNext() {
        AtomicBoolean busy = new AtomicBoolean(true);
        Reader reader = new Reader(new CountDownLatch(0));
        Subscriber subscriber = new Subscriber(reader, task -> runUnless(busy, task), () -> {});

        subscriber.offer("1");
        assertThat(reader.seen).isEmpty();
        busy.set(false);
        subscriber.offer("2");

        assertThat(reader.seen).containsExactly("2");
    }

    private static void runUnless(AtomicBoolean busy, Runnable task) {
        if (busy.get()) {
            throw new RejectedExecutionException("all threads are busy");
        }
        task.run();
    }

    private static final class Reader implements Subscriber.Connection {

        private final CountDownLatch gate;
        private final AtomicInteger began = new AtomicInteger();
        private final AtomicInteger ends = new AtomicInteger();
        private final List<String> seen = new CopyOnWriteArrayList<>();

        Reader(CountDownLatch gate) {
            this.gate = gate;
        }

        @Override
        public void send(String state) throws IOException {
            began.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            seen.add(state);
        }

        @Override
        public void end() {
            ends.incrementAndGet();
        }
    }
}
