package io.dynamolock.spring.actuate;

import io.dynamolock.LockException;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockMessages;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.internal.text.SafeFailure;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;

/**
 * Shows, over HTTP, the locks of this process and the queue of any lock in the table, and lets operators evict. A
 * failure is answered with a status and a sentence. Thread-safe.
 *
 * <p>Parameters that may be left out have the {@code @Nullable} of Spring Framework: Spring Boot 3 knows no other.
 */
@SuppressWarnings("deprecation")
@WebEndpoint(id = "dynamolock")
public class DynamoLocksEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLocksEndpoint.class);
    private static final boolean HAS_SPRING_SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.Authentication", DynamoLocksEndpoint.class.getClassLoader());
    private static final int FORBIDDEN = 403;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int USUAL_ROWS = 100;
    private static final int MOST_ROWS = 1_000;

    private final LockRegistry locks;
    private final ApplicationEventPublisher audit;
    private final DynamoLocksEndpointProperties settings;

    DynamoLocksEndpoint(LockRegistry locks, ApplicationEventPublisher audit, DynamoLocksEndpointProperties settings) {
        this.locks = locks;
        this.audit = audit;
        this.settings = settings;
    }

    /**
     * The locks that this process holds, and the callers that wait, without a call to DynamoDB. With a key, what {@link
     * #lock} answers: web servers refuse or change some keys in a path, such as keys with {@code //}, {@code ;} or
     * {@code %2F}.
     *
     * @param limit how many rows; 100 unless given, and not more than 1,000
     * @param key the whole key of one lock
     * @param namespace of that lock; by default, the default namespace
     */
    @ReadOperation
    public WebEndpointResponse<Object> locks(
            SecurityContext caller,
            @org.springframework.lang.Nullable Integer limit,
            @org.springframework.lang.Nullable String key,
            @org.springframework.lang.Nullable String namespace) {
        if (key != null) {
            return lock(caller, new String[] {key}, namespace);
        }
        int rows = limit == null ? USUAL_ROWS : Math.max(0, Math.min(limit, MOST_ROWS));
        return new WebEndpointResponse<>(LocksOfProcess.of(locks.admin(), rows, showsKeysTo(known(caller))));
    }

    /**
     * As {@link #evict}, with the whole key as a parameter.
     *
     * @param key the whole key
     * @param id the entry's id, as a read of the lock shows it
     * @param namespace by default, the default namespace
     */
    @DeleteOperation
    public WebEndpointResponse<Object> evictByKey(
            SecurityContext caller, String key, String id, @org.springframework.lang.Nullable String namespace) {
        return evict(caller, new String[] {key}, id, namespace);
    }

    /**
     * Who holds a lock and who waits for it, in all processes, by one or two reads of the table.
     *
     * @param key the parts of the key between its slashes
     * @param namespace by default, the default namespace
     * @return 403 if keys are not shown to the caller, who could otherwise guess a key and learn who uses it; 404 if
     *     nobody holds the lock or waits for it
     */
    @ReadOperation
    public WebEndpointResponse<Object> lock(
            SecurityContext caller,
            @Selector(match = Match.ALL_REMAINING) String[] key,
            @org.springframework.lang.Nullable String namespace) {
        if (!showsKeysTo(known(caller))) {
            return problem(
                    FORBIDDEN,
                    "Keys are not shown to you, and so no single lock is: see management.endpoint.dynamolock.show-keys.");
        }
        return answer(() -> {
            QueueOfLock found = QueueOfLock.of(locks.admin().inspect(String.join("/", key), orDefault(namespace)));
            return found.isUnused()
                    ? problem(WebEndpointResponse.STATUS_NOT_FOUND, "Nobody holds this lock or waits for it.")
                    : new WebEndpointResponse<>(found);
        });
    }

    /**
     * Asks the process that owns this entry of the queue to give it up, see {@link io.dynamolock.LockAdmin#evict}. Only
     * authenticated users may evict; if roles are set, the user must have one of the roles.
     *
     * @param key the parts of the key between its slashes
     * @param id the entry's id, as a read of the lock shows it
     * @param namespace by default, the default namespace
     * @return 204 if the entry was given up, 403 if the user may not evict, 404 if the entry is not there any more, 405
     *     if evicting is not switched on, 409 if the process was told and has not given the entry up in time
     */
    @DeleteOperation
    public WebEndpointResponse<Object> evict(
            SecurityContext caller,
            @Selector(match = Match.ALL_REMAINING) String[] key,
            String id,
            @org.springframework.lang.Nullable String namespace) {
        if (!settings.evict()) {
            return problem(
                    METHOD_NOT_ALLOWED,
                    "Nothing can be evicted here unless management.endpoint.dynamolock.evict is true.");
        }
        return answer(() -> evict(known(caller), String.join("/", key), orDefault(namespace), id));
    }

    /**
     * Records the outcome of every attempt as an audit event. The outcome is {@code unknown} if the process may have
     * been told although no answer came.
     */
    private WebEndpointResponse<Object> evict(SecurityContext caller, String key, String namespace, String id) {
        String outcome = "failed";
        try {
            if (!Show.WHEN_AUTHORIZED.isShown(caller, settings.roles())) {
                outcome = "refused";
                return problem(
                        FORBIDDEN,
                        "Only an authenticated user can evict, with one of management.endpoint.dynamolock.roles if there are some.");
            }
            Principal known = caller.getPrincipal();
            if (locks.admin().evict(key, namespace, id, known == null ? "" : known.getName())) {
                outcome = "evicted";
                return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
            }
            if (QueueOfLock.of(locks.admin().inspect(key, namespace)).has(id)) {
                outcome = "told";
                return problem(
                        CONFLICT,
                        "The process of this entry has been told and has not given the entry up yet. Look at the lock"
                                + " again: a process that is dead or cut off loses its locks when its lease is over.");
            }
            outcome = "gone";
            return problem(WebEndpointResponse.STATUS_NOT_FOUND, "This entry of the queue is not there any more.");
        } catch (LockStoreException | LockInterruptedException unanswered) {
            outcome = "unknown";
            throw unanswered;
        } finally {
            boolean showsKey = showsKeysTo(caller);
            Map<String, @Nullable Object> data = new LinkedHashMap<>();
            data.put("namespace", namespace);
            data.put("id", id);
            data.put("outcome", outcome);
            data.put(showsKey ? "key" : "keyHash", showsKey ? key : LockMessages.hash(key, namespace));
            Principal user = caller.getPrincipal();
            audit.publishEvent(
                    new AuditApplicationEvent(user == null ? "" : user.getName(), "DYNAMOLOCK_EVICTION", data));
        }
    }

    private boolean showsKeysTo(SecurityContext known) {
        return settings.showKeys().isShown(known, settings.roles());
    }

    /** Removes the principal of an anonymous user, which Spring Security sets in reactive applications. */
    private static SecurityContext known(SecurityContext caller) {
        return HAS_SPRING_SECURITY
                        && caller.getPrincipal() instanceof Authentication who
                        && !new AuthenticationTrustResolverImpl().isAuthenticated(who)
                ? SecurityContext.NONE
                : caller;
    }

    private static String orDefault(@Nullable String namespace) {
        return namespace == null ? LockRequest.DEFAULT_NAMESPACE : namespace;
    }

    /** Turns failures into answers, without the message of the failure, which contains the key. */
    private static WebEndpointResponse<Object> answer(Supplier<WebEndpointResponse<Object>> answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException e) {
            return problem(
                    WebEndpointResponse.STATUS_BAD_REQUEST,
                    "No lock has such a key or namespace, or no entry such an id.");
        } catch (UnsupportedOperationException switchedOff) {
            return problem(NOT_IMPLEMENTED, "Locks are switched off in this process, which knows nothing of others.");
        } catch (LockException e) {
            LOG.debug("The endpoint of locks could not answer", SafeFailure.of(e));
            return problem(
                    WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
                    "The table did not answer, or the application stops. The health of dynamolock says why.");
        }
    }

    private static WebEndpointResponse<Object> problem(int status, String problem) {
        return new WebEndpointResponse<>(Map.of("problem", problem), status);
    }
}
