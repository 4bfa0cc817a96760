package io.dynamolock.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/** The names of the DynamoDB clients that the application has; the starter's own is not among them. Makes no bean. */
final class ClientBeans {

    private ClientBeans() {}

    /** Clients of that type whose name or qualifier says that they are for the locks. */
    static List<String> forLocks(ConfigurableListableBeanFactory beans, Class<?> type) {
        return names(beans, type).stream()
                .filter(name -> BeanFactoryAnnotationUtils.isQualifierMatch(LockClient.NAME::equals, name, beans))
                .toList();
    }

    /** Clients of that type that an injection point without a qualifier may get; only the primary one, if there is one. */
    static List<String> ofApplication(ConfigurableListableBeanFactory beans, Class<?> type) {
        List<String> primary = new ArrayList<>();
        List<String> usual = new ArrayList<>();
        List<String> fallback = new ArrayList<>();
        for (String name : names(beans, type)) {
            BeanDefinition definition = definition(beans, name);
            if (definition == null) {
                usual.add(name);
            } else if (definition.isAutowireCandidate() && isDefaultCandidate(definition)) {
                (definition.isPrimary() ? primary : definition.isFallback() ? fallback : usual).add(name);
            }
        }
        if (!primary.isEmpty()) {
            return primary;
        }
        return usual.isEmpty() ? fallback : usual;
    }

    private static List<String> names(ConfigurableListableBeanFactory beans, Class<?> type) {
        List<String> names =
                new ArrayList<>(List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false)));
        names.remove(LockClient.OWN);
        return names;
    }

    /** Null for a bean that was registered as an object. */
    private static @Nullable BeanDefinition definition(ConfigurableListableBeanFactory beans, String name) {
        if (beans.containsBeanDefinition(name)) {
            return beans.getMergedBeanDefinition(name);
        }
        return beans.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent
                ? definition(parent, name)
                : null;
    }

    private static boolean isDefaultCandidate(BeanDefinition definition) {
        return !(definition instanceof AbstractBeanDefinition any) || any.isDefaultCandidate();
    }
}
