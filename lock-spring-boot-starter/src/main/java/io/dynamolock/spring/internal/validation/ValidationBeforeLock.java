package io.dynamolock.spring.internal.validation;

import io.dynamolock.spring.internal.calls.LockInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Moves the validation of {@code @Validated} beans in front of the lock, so that a caller with invalid arguments is
 * refused at once instead of waiting in the queue first.
 *
 * <p>Spring adds this validation behind all aspects that a bean has already. It stays behind the aspects in front of
 * the lock, such as those of Spring Security. The bean of this class comes with every {@code DynamoLockedAdvisor}. It
 * has no order, because it must run after the post-processor that applies the validation. Thread-safe.
 */
public final class ValidationBeforeLock implements BeanPostProcessor {

    /** By name, because the class needs Jakarta Validation, which is optional. */
    private static final String VALIDATION =
            "org.springframework.validation.beanvalidation.MethodValidationInterceptor";

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (isValidation(advisor)) {
                    moveBeforeLock(advised, advisor);
                }
            }
        }
        return bean;
    }

    private static boolean isValidation(Advisor advisor) {
        for (Class<?> type = advisor.getAdvice().getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(VALIDATION)) {
                return true;
            }
        }
        return false;
    }

    private static void moveBeforeLock(Advised advised, Advisor validation) {
        Advisor[] advisors = advised.getAdvisors();
        for (int place = 0; place < advised.indexOf(validation); place++) {
            if (advisors[place].getAdvice() instanceof LockInterceptor) {
                advised.removeAdvisor(validation);
                advised.addAdvisor(place, validation);
                return;
            }
        }
    }
}
