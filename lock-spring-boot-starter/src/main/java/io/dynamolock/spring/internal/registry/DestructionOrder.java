package io.dynamolock.spring.internal.registry;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** In which order Spring destroys beans: the dependents of a bean before the bean itself. */
record DestructionOrder(ConfigurableBeanFactory beans) {

    /** The bean and all that is destroyed before it, because it depends on the bean, directly or not. */
    Set<String> destroyedBefore(String bean) {
        return reachable(bean, beans::getDependentBeans);
    }

    /** The bean and all that is destroyed after it, because the bean depends on it, directly or not. */
    Set<String> destroyedAfter(String bean) {
        return reachable(bean, beans::getDependenciesForBean);
    }

    private static Set<String> reachable(String from, Function<String, String[]> next) {
        Set<String> found = new HashSet<>(Set.of(from));
        Queue<String> open = new ArrayDeque<>(found);
        while (!open.isEmpty()) {
            List.of(next.apply(open.remove())).stream().filter(found::add).forEach(open::add);
        }
        return found;
    }
}
