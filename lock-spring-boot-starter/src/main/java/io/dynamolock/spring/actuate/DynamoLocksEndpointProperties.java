package io.dynamolock.spring.actuate;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The endpoint of locks.
 *
 * @param showKeys When to show single locks, the keys of locks, and the names of callers, which may be personal data.
 * @param roles Roles of which a user must have one to see keys and to evict; with none, every authenticated user may.
 * @param evict Whether authenticated users can take a holder or a waiter out of a lock's queue; over HTTP this needs
 *     Spring Security.
 */
@ConfigurationProperties("management.endpoint.dynamolock")
record DynamoLocksEndpointProperties(
        @DefaultValue("never") Show showKeys,
        @DefaultValue Set<String> roles,
        @DefaultValue("false") boolean evict) {}
