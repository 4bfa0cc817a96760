package io.dynamolock.benchmarks.peer;

import io.awspring.cloud.dynamodb.DynamoDbLockRegistry;
import io.awspring.cloud.dynamodb.DynamoDbLockRepository;
import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The lock registry of Spring Cloud AWS for Spring Integration. */
final class SpringCloudAwsPeer implements Peer {

    @Override
    public String id() {
        return "spring-cloud-aws";
    }

    @Override
    public String title() {
        return "Spring Cloud AWS 4.1.0";
    }

    @Override
    public String setUp() {
        return "DynamoDbLockRegistry with its defaults: time to live 60 s, not renewed, a try every 100 ms per process.";
    }

    @Override
    public List<String> keyAttributes() {
        return List.of("lockKey");
    }

    @Override
    public LockProcess start(Database database, String table, String name, CallMeter meter) {
        DynamoDbAsyncClient client = database.asyncClient(meter);
        DynamoDbLockRepository repository = new DynamoDbLockRepository(client, table);
        repository.setOwner(name);
        repository.afterPropertiesSet();
        return new Instance(client, repository, new DynamoDbLockRegistry(repository));
    }

    private record Instance(DynamoDbAsyncClient client, DynamoDbLockRepository repository, DynamoDbLockRegistry locks)
            implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) throws InterruptedException {
            Lock lock = locks.obtain(key);
            return lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS) ? () -> release(lock) : null;
        }

        private static boolean release(Lock lock) {
            try {
                lock.unlock();
                return true;
            } catch (ConcurrentModificationException lost) {
                return false;
            }
        }

        @Override
        public void close() {
            repository.close();
            client.close();
        }
    }
}
