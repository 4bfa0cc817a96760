package io.dynamolock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.OneClock;
import io.dynamolock.spring.autoconfigure.DynamoLockAdaptersAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DistributedLock;

/** What of {@link PlainIntegrationLockRegistry} differs from the registry for Spring Integration 7. */
@Timeout(60)
class PlainIntegrationLockRegistryTest {

    private final OneClock clock = new OneClock();
    private final LockRegistry locks = clock.registry("here");
    private final PlainIntegrationLockRegistry plain = new PlainIntegrationLockRegistry(locks);

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void itsLocksAreThoseOfTheOtherRegistry() {
        Lock lock = plain.obtain("k");
        lock.lock();
        assertThat(lock).isEqualTo(plain.obtain("k")).isEqualTo(new IntegrationLockRegistry(locks).obtain("k"));
        assertThat(locks.admin().held())
                .singleElement()
                .satisfies(held -> assertThat(held.namespace()).isEqualTo(IntegrationLockRegistry.NAMESPACE));
        plain.renewLock("k");
        plain.renewLock("k", Duration.ofMinutes(1));
        lock.unlock();
        assertThat(locks.admin().held()).isEmpty();
    }

    @Test
    void itsLocksHaveNoTimeToLive() {
        assertThat(plain.obtain("k")).isNotInstanceOf(DistributedLock.class);
    }

    @Test
    void itRefusesWhatTheOtherRegistryRefuses() {
        assertThatIllegalArgumentException().isThrownBy(() -> plain.obtain(new Object()));
        assertThatIllegalArgumentException().isThrownBy(() -> new PlainIntegrationLockRegistry(locks, "a/b"));
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> plain.renewLock("k"));
    }

    @Test
    void itHasTheNamespaceThatItIsGiven() {
        Lock lock = new PlainIntegrationLockRegistry(locks, "mine").obtain("k");
        assertThat(lock.tryLock()).isTrue();
        assertThat(locks.admin().inspect("k", "mine").holder()).isPresent();
        assertThat(locks.admin().inspect("k", LockRequest.DEFAULT_NAMESPACE).holder())
                .isEmpty();
        lock.unlock();
    }

    @Test
    void itIsThereWhereLocksOfSpringIntegrationHaveNoTimeToLive() {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamoLockAdaptersAutoConfiguration.class))
                .withBean("locks", LockRegistry.class, () -> locks, bean -> bean.setDestroyMethodName(""));
        runner.run(context -> assertThat(context)
                .hasSingleBean(IntegrationLockRegistry.class)
                .doesNotHaveBean(PlainIntegrationLockRegistry.class));
        runner.withClassLoader(new FilteredClassLoader(DistributedLock.class))
                .run(context -> assertThat(context).hasSingleBean(PlainIntegrationLockRegistry.class));
    }
}
