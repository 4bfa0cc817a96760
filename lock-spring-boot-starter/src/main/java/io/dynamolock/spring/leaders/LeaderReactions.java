package io.dynamolock.spring.leaders;

import io.dynamolock.LeaderListener;
import io.dynamolock.spring.annotation.LeaderEvent;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ReflectionUtils;

/**
 * What each kind of {@code @DynamoLeader} bean or method does when its instance begins to lead, loses the leadership or
 * gives it up.
 */
final class LeaderReactions {

    private LeaderReactions() {}

    /** Calls the method of the listener for the event. */
    static Consumer<LeaderEvent> callListener(LeaderListener listener) {
        return event -> {
            if (event instanceof LeaderEvent.Granted) {
                listener.granted(event.leadership());
            } else if (event instanceof LeaderEvent.Revoked) {
                listener.revoked(event.leadership());
            } else {
                listener.resigned(event.leadership());
            }
        };
    }

    /**
     * Calls the method with each event that its parameter takes.
     *
     * @param method accessible, with one parameter
     */
    static Consumer<LeaderEvent> callMethod(Object bean, Method method) {
        return event -> {
            if (method.getParameterTypes()[0].isInstance(event)) {
                ReflectionUtils.invokeMethod(method, bean, event);
            }
        };
    }

    /** Starts the bean when the instance begins to lead, and stops it when the instance ceases to lead. */
    static Consumer<LeaderEvent> runWhileLeading(Lifecycle bean, ShutdownTimeout timeout) {
        return event -> {
            if (event instanceof LeaderEvent.Granted) {
                bean.start();
            } else if (bean.isRunning()) {
                stop(bean, event, timeout);
            }
        };
    }

    private static void stop(Lifecycle bean, LeaderEvent event, ShutdownTimeout timeout) {
        if (bean instanceof SmartLifecycle smart && event instanceof LeaderEvent.Resigned) {
            // The lock is held until the bean has finished its work.
            CompletableFuture<Void> stopped = new CompletableFuture<>();
            smart.stop(() -> stopped.complete(null));
            timeout.await(stopped, "A leader has not stopped within {}; another one may lead now");
        } else {
            // After a loss, waiting would protect nothing, and would delay the other beans of the election.
            bean.stop();
        }
    }
}
