package io.dynamolock.spring.autoconfigure;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/** Which beans say where the DynamoDB of the locks is. */
final class ConnectionDetailsOfLocks {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionDetailsOfLocks.class);

    /** By name, because its classes need Testcontainers or Spring Boot's support of Docker Compose. */
    private static final String OF_CONTAINERS = ConnectionDetailsOfLocks.class.getPackageName() + ".container";

    private ConnectionDetailsOfLocks() {}

    /**
     * @return null if there are none
     * @throws InvalidSetUpException if there are several, of which none is primary
     */
    static @Nullable DynamoLockConnectionDetails only(ObjectProvider<DynamoLockConnectionDetails> beans) {
        try {
            return beans.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException several) {
            throw new InvalidSetUpException(
                    "Several beans say where the DynamoDB of the locks is, and none is primary: " + names(several)
                            + ".",
                    "Mark one of them with @Primary. Or tell a container that is not for the locks what it is for, as in"
                            + " @ServiceConnection(type = AwsConnectionDetails.class), or, with Docker Compose, by the"
                            + " label org.springframework.boot.ignore: true.");
        }
    }

    private static String names(NoUniqueBeanDefinitionException several) {
        Collection<String> names = several.getBeanNamesFound();
        return names == null ? "they are not known by name" : "'" + String.join("', '", names) + "'";
    }

    /** All but those that were made of containers: a container may be there for other tables than that of the locks. */
    static List<DynamoLockConnectionDetails> ofApplication(ObjectProvider<DynamoLockConnectionDetails> beans) {
        List<DynamoLockConnectionDetails> all = beans.stream().toList();
        List<DynamoLockConnectionDetails> own = all.stream()
                .filter(each -> !each.getClass().getPackageName().equals(OF_CONTAINERS))
                .toList();
        if (own.size() < all.size()) {
            LOG.info("The locks do not use the DynamoDB of the container that is connected to this application, because"
                    + " dynamo-lock.store is embedded. Set it to dynamodb if they are to use that one.");
        }
        return own;
    }
}
