package io.dynamolock.spring.autoconfigure.actuate;

import java.security.Principal;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** As its parent, and evicts, knowing who wants it. Thread-safe. */
@EndpointWebExtension(endpoint = DynamoLocksEndpoint.class)
public class EvictingDynamoLocksWebExtension extends DynamoLocksWebExtension {

    private final Evictions evictions;

    EvictingDynamoLocksWebExtension(DynamoLocksEndpoint endpoint, Evictions evictions, Set<String> roles) {
        super(endpoint, roles);
        this.evictions = evictions;
    }

    /**
     * As {@link EvictingDynamoLocksEndpoint#evict}, for known users that have one of the roles if there are some.
     *
     * @return 204 if the process was told, 403 if the user may not evict, 404 if the entry is not there any more
     */
    @DeleteOperation
    public WebEndpointResponse<Object> evict(
            SecurityContext caller,
            @Selector(match = Match.ALL_REMAINING) String[] key,
            String id,
            @Nullable String namespace) {
        Principal principal = known(caller).getPrincipal();
        Evictions.Attempt attempt = new Evictions.Attempt(
                principal == null ? "" : principal.getName(),
                DynamoLocksEndpoint.joined(key),
                DynamoLocksEndpoint.orDefault(namespace),
                id,
                showsKeysTo(caller));
        if (!isAuthorized(caller)) {
            evictions.refuse(attempt);
            return WebAnswers.problem(
                    WebAnswers.FORBIDDEN,
                    "Only an authenticated user can evict, with one of management.endpoint.dynamolocks.roles if there are some.");
        }
        return WebAnswers.of(() -> evictions.evict(attempt)
                ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT)
                : WebAnswers.problem(
                        WebEndpointResponse.STATUS_NOT_FOUND, "This entry of the queue is not there any more."));
    }
}
