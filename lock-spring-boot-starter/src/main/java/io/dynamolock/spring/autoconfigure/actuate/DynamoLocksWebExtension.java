package io.dynamolock.spring.autoconfigure.actuate;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Knows who asks, and answers failures with a status and a sentence. Thread-safe. */
@EndpointWebExtension(endpoint = DynamoLocksEndpoint.class)
public class DynamoLocksWebExtension {

    private final DynamoLocksEndpoint endpoint;
    private final Set<String> roles;

    DynamoLocksWebExtension(DynamoLocksEndpoint endpoint, Set<String> roles) {
        this.endpoint = endpoint;
        this.roles = roles;
    }

    /** As {@link DynamoLocksEndpoint#locks(Integer)}. */
    @ReadOperation
    public LocksOfProcess locks(SecurityContext caller, @Nullable Integer limit) {
        return endpoint.locks(limit, showsKeysTo(caller));
    }

    /** As {@link DynamoLocksEndpoint#lock(String[], String)}; 404 where that returns null. */
    @ReadOperation
    public WebEndpointResponse<Object> lock(
            SecurityContext caller, @Selector(match = Match.ALL_REMAINING) String[] key, @Nullable String namespace) {
        return WebAnswers.of(() -> {
            QueueOfLock found = endpoint.lock(key, namespace, showsKeysTo(caller));
            return found == null
                    ? WebAnswers.problem(
                            WebEndpointResponse.STATUS_NOT_FOUND, "Nobody holds this lock or waits for it.")
                    : new WebEndpointResponse<>(found);
        });
    }

    boolean showsKeysTo(SecurityContext caller) {
        return endpoint.showsKeysTo(caller, roles);
    }
}
