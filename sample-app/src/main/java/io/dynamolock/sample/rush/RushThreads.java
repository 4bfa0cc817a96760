package io.dynamolock.sample.rush;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The threads that stand for a crowd of clients. */
@Configuration(proxyBeanMethods = false)
class RushThreads {

    static final String NAME = "rushExecutor";

    /** Maximum number of orders under way at the same time. Further orders of a rush follow as these finish. */
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
