package io.dynamolock.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.internal.store.dynamodb.CallThreads;
import io.dynamolock.internal.testing.TestThread;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RegistryThreadsTest {

    @Test
    void tellsOfLossesWhileContinuationsHang() throws Exception {
        RegistryThreads threads = new RegistryThreads(null, task -> task);
        CountDownLatch stuck = new CountDownLatch(1);
        for (int i = 0; i < 100; i++) {
            threads.ofUsers().async().execute(() -> TestThread.awaitQuietly(stuck));
        }
        CompletableFuture<Void> news = new CompletableFuture<>();

        threads.ofUsers().losses().execute(() -> news.complete(null));

        news.get(10, TimeUnit.SECONDS);
        stuck.countDown();
    }

    @Test
    void runsOnTheExecutorGivenToIt() throws Exception {
        ExecutorService given = Executors.newSingleThreadExecutor(task -> new Thread(task, "given"));
        RegistryThreads threads = new RegistryThreads(given, task -> task);

        assertThat(threadOf(threads.ofUsers().async()).getName()).isEqualTo("given");
        assertThat(threadOf(threads.ofUsers().losses()).getName()).isEqualTo("given");
        threads.shutdown();
        assertThat(given.isShutdown()).isFalse();
        given.shutdown();
    }

    @Test
    void aTaskRunsOnceAndNeverInTheCallerWhateverTheExecutorDoes() {
        Queue<Runnable> taken = new ConcurrentLinkedQueue<>();
        Executor rejects = task -> {
            throw new RejectedExecutionException("full");
        };
        Executor takesAndFails = task -> {
            taken.add(task);
            throw new OutOfMemoryError("unable to create native thread");
        };
        for (Executor given : List.<Executor>of(Runnable::run, rejects, takesAndFails)) {
            List<Thread> ranOn = new CopyOnWriteArrayList<>();
            RegistryThreads threads = new RegistryThreads(given, task -> task);
            threads.ofUsers().losses().execute(() -> ranOn.add(Thread.currentThread()));
            await().until(() -> !ranOn.isEmpty());
            taken.forEach(Runnable::run);
            assertThat(ranOn).hasSize(1).doesNotContain(Thread.currentThread());
        }
    }

    @Test
    void runsTasksAfterItsShutdown() throws Exception {
        RegistryThreads threads = new RegistryThreads(null, task -> task);
        threads.shutdown();
        assertThat(threadOf(threads.ofUsers().losses()).isDaemon()).isTrue();
    }

    /** A callback of an election has a thread to itself, and may wait. */
    @Test
    void itsThreadsAreRecognisedByTheirType() throws Exception {
        RegistryThreads threads = new RegistryThreads(null, task -> task);

        assertThat(threadOf(threads.ofUsers().async())).isInstanceOf(RegistryThread.class);
        assertThat(threadOf(threads.ofUsers().losses())).isInstanceOf(RegistryThread.class);
        assertThat(threadOf(threads.ofLeaders().async())).isNotInstanceOf(RegistryThread.class);
    }

    @Test
    void itsThreadsInheritNothingFromTheThreadThatStartsThem() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("a user's");
        RegistryThreads threads = new RegistryThreads(null, task -> task);
        for (Executor executor : List.of(
                threads.ofUsers().async(),
                threads.ofUsers().losses(),
                threads.ofLeaders().async(),
                CallThreads.pool())) {
            assertThat(CompletableFuture.supplyAsync(() -> String.valueOf(tenant.get()), executor)
                            .join())
                    .isEqualTo("null");
        }
    }

    @Test
    void keepsNoThreadsWhenIdle() {
        ThreadPoolExecutor pool = RegistryThreads.pool("test", 2, 2, new LinkedBlockingQueue<>(), Thread::new);

        assertThat(pool.getPoolSize()).isZero();
        assertThat(pool.allowsCoreThreadTimeOut()).isTrue();
    }

    @Test
    void aTaskRunsAsSoonAsThereIsRoomForAThread() throws Exception {
        for (BlockingQueue<Runnable> queue :
                List.of(new SynchronousQueue<Runnable>(), new LinkedBlockingQueue<Runnable>())) {
            AtomicInteger failures = new AtomicInteger(3);
            ThreadPoolExecutor pool = RegistryThreads.pool("test", 0, 1, queue, (task, name) -> {
                if (failures.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                return new Thread(task, name);
            });
            CompletableFuture<Void> ran = new CompletableFuture<>();

            RegistryThreads.execute(pool, () -> ran.complete(null));

            ran.get(10, TimeUnit.SECONDS);
        }
    }

    private static Thread threadOf(Executor executor) throws Exception {
        CompletableFuture<Thread> ranOn = new CompletableFuture<>();
        executor.execute(() -> ranOn.complete(Thread.currentThread()));
        return ranOn.get(10, TimeUnit.SECONDS);
    }
}
