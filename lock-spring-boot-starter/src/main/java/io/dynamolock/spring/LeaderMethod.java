package io.dynamolock.spring;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import java.lang.reflect.Method;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a method of a bean with the events that it takes.
 *
 * @param method accessible, with one parameter
 */
record LeaderMethod(Object bean, Method method) implements LeaderListener {

    @Override
    public void granted(Leadership leadership) {
        tell(new LeaderEvent.Granted(leadership));
    }

    @Override
    public void revoked(Leadership leadership) {
        tell(new LeaderEvent.Revoked(leadership));
    }

    @Override
    public void resigned(Leadership leadership) {
        tell(new LeaderEvent.Resigned(leadership));
    }

    private void tell(LeaderEvent event) {
        if (method.getParameterTypes()[0].isInstance(event)) {
            ReflectionUtils.invokeMethod(method, bean, event);
        }
    }
}
