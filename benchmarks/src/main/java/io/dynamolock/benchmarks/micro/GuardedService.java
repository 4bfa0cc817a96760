package io.dynamolock.benchmarks.micro;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** The same little method, guarded in several ways. */
@Service
public class GuardedService {

    private long state;

    public long plain(String customer) {
        return work(customer);
    }

    @DynamoLocked(key = "'fixed'")
    public long locked(String customer) {
        return work(customer);
    }

    @DynamoLocked(key = "'customer:' + #customer")
    public long lockedByExpression(String customer) {
        return work(customer);
    }

    public Mono<Long> mono(String customer) {
        return Mono.fromSupplier(() -> work(customer));
    }

    @DynamoLocked(key = "'fixed'")
    public Mono<Long> lockedMono(String customer) {
        return mono(customer);
    }

    @Bulkhead(name = "bench")
    public long inBulkhead(String customer) {
        return work(customer);
    }

    private long work(String customer) {
        state += customer.length();
        return state;
    }
}
