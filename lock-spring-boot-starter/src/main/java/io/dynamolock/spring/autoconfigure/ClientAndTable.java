package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockTable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The client of the locks and their table. All is lazy, because nobody may need it: the locks may use a client of the
 * application, or be switched off.
 */
@Configuration(proxyBeanMethods = false)
@Import(ClientSelector.class)
class ClientAndTable {

    private static final String CHOICE = "dynamoLockClientChoice";

    /** A bean, so that a checkpoint closes the connections even if the client bean is a proxy. */
    @Bean(defaultCandidate = false)
    @Lazy
    RestartableHttpClient dynamoLockConnections() {
        return new RestartableHttpClient();
    }

    @Bean(name = SelectedClient.STARTER_BEAN, defaultCandidate = false)
    @Lazy
    DynamoDbClient dynamoLockDynamoDbClient(
            ClientSelector clients, @Qualifier("dynamoLockConnections") RestartableHttpClient connections) {
        return clients.build(connections);
    }

    @Bean(name = CHOICE)
    @Lazy
    SelectedClient dynamoLockClientChoice(ClientSelector clients, ConfigurableListableBeanFactory beans) {
        SelectedClient choice = clients.choose();
        // Spring does not see on which bean the choice fell, and must destroy the registry before it.
        for (String name : beans.getBeanNamesForType(AwsClient.class, false, false)) {
            if (beans.getSingleton(name) == choice.client()) {
                beans.registerDependentBean(name, CHOICE);
            }
        }
        return choice;
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    LockTable dynamoLockTable(SelectedClient client, LocksConfigurer configurer) {
        return configurer.build(client.registryBuilder(), LockRegistryBuilder::table);
    }
}
