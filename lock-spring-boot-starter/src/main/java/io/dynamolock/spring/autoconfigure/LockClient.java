package io.dynamolock.spring.autoconfigure;

import io.dynamolock.DynamoLocks;
import io.dynamolock.DynamoLocksBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;

/** The client bean that the locks go through, of either kind. */
sealed interface LockClient {

    /** The bean of this name is for the locks, unless another one of its type is primary. */
    String NAME = "dynamoLockClient";

    DynamoLocksBuilder locks();

    DynamoDbServiceClientConfiguration configuration();

    /** Each call costs less than on the other kind. */
    record Blocking(DynamoDbClient client) implements LockClient {

        @Override
        public DynamoLocksBuilder locks() {
            return DynamoLocks.builder(client);
        }

        @Override
        public DynamoDbServiceClientConfiguration configuration() {
            return client.serviceClientConfiguration();
        }
    }

    /** For an application that has no other, or that names this one for the locks. */
    record Async(DynamoDbAsyncClient client) implements LockClient {

        @Override
        public DynamoLocksBuilder locks() {
            return DynamoLocks.builder(client);
        }

        @Override
        public DynamoDbServiceClientConfiguration configuration() {
            return client.serviceClientConfiguration();
        }
    }

    /**
     * A blocking client before an asynchronous one, unless the one that is named for the locks is asynchronous.
     *
     * @throws org.springframework.beans.factory.NoSuchBeanDefinitionException if there is none, or several of which none
     *     is primary or named for the locks
     */
    static LockClient in(ListableBeanFactory beans) {
        boolean namesAsync = beans.containsBean(NAME) && beans.isTypeMatch(NAME, DynamoDbAsyncClient.class);
        DynamoDbClient blocking = namesAsync ? null : find(beans, DynamoDbClient.class);
        if (blocking != null) {
            return new Blocking(blocking);
        }
        DynamoDbAsyncClient async = find(beans, DynamoDbAsyncClient.class);
        return async != null ? new Async(async) : new Blocking(beans.getBean(DynamoDbClient.class));
    }

    private static <C> @Nullable C find(ListableBeanFactory beans, Class<C> type) {
        C only = beans.getBeanProvider(type).getIfUnique();
        if (only == null && beans.containsBean(NAME) && beans.isTypeMatch(NAME, type)) {
            return beans.getBean(NAME, type);
        }
        return only != null ? only : beans.getBeanProvider(type).getIfAvailable();
    }
}
