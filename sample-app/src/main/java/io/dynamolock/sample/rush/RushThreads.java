package io.dynamolock.sample.rush;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The threads that stand for a crowd of clients. */
@Configuration(proxyBeanMethods = false)
class RushThreads {

    static final String NAME = "rushExecutor";

    /** So many orders are under way at the same time; what a rush has beyond them follows as these finish. */
    private static final int CONCURRENT_ORDERS = 256;

    private static final int LARGEST_RUSH = 1_000;

    @Bean(name = NAME, defaultCandidate = false)
    ThreadPoolTaskExecutor rushExecutor() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setThreadNamePrefix("rush-");
        executor.setCorePoolSize(CONCURRENT_ORDERS);
        executor.setMaxPoolSize(CONCURRENT_ORDERS);
        executor.setAllowCoreThreadTimeOut(true);
        executor.setQueueCapacity(LARGEST_RUSH);
        return executor;
    }
}
