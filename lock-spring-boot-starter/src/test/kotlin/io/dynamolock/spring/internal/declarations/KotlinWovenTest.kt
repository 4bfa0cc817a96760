package io.dynamolock.spring.internal.declarations

import io.dynamolock.spring.annotation.DynamoLocked
import io.dynamolock.spring.annotation.InvalidDynamoLockedException
import java.time.Duration
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.support.DefaultListableBeanFactory

/** Kotlin's methods in classes that AspectJ weaves. */
class KotlinWovenTest {

    open class Suspends {

        @DynamoLocked(key = "'k'")
        open suspend fun run() {
        }
    }

    @Test
    fun aWovenSuspendingFunctionIsRefusedInFavourOfAcquireAsync() {
        val methods = LockedMethods(DefaultListableBeanFactory(), { Duration.ZERO })
        methods.expectWoven()
        assertThatThrownBy { methods.existIn(Suspends::class.java) }
            .isInstanceOf(InvalidDynamoLockedException::class.java)
            .hasMessageEndingWith("woven code knows nothing of those. Use LockRegistry.acquireAsync.")
    }
}
