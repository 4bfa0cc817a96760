package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Where the locks of an application live, and what it was told of them. Costs no call. Thread-safe. */
final class LockInfoContributor implements InfoContributor {

    private final LockRegistry locks;
    private final DynamoLockProperties properties;
    private final @Nullable LockClient client;

    /** @param client null if the registry is the application's own, which tells no more than its table */
    LockInfoContributor(LockRegistry locks, DynamoLockProperties properties, @Nullable LockClient client) {
        this.locks = locks;
        this.properties = properties;
        this.client = client;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> details = new LinkedHashMap<>();
        put(details, "table", locks.admin().table().map(LockTable::name).orElse(null));
        if (client != null) {
            put(details, "place", client.place().toString());
            put(details, "keyPrefix", properties.keyPrefix().isEmpty() ? null : properties.keyPrefix());
            put(details, "lease", properties.lease().toString());
        }
        put(
                details,
                "owner",
                locks.admin().session().map(LockAdmin.Session::owner).orElse(properties.owner()));
        put(details, "version", LockRegistry.class.getPackage().getImplementationVersion());
        builder.withDetail("dynamoLock", details);
    }

    private static void put(Map<String, Object> details, String name, @Nullable Object value) {
        if (value != null) {
            details.put(name, value);
        }
    }
}
