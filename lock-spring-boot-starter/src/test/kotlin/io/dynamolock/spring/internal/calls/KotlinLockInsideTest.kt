package io.dynamolock.spring.internal.calls

import io.dynamolock.FakeLockRegistry
import io.dynamolock.LockRequest
import io.dynamolock.LockTimeoutException
import io.dynamolock.spring.annotation.CurrentLock
import io.dynamolock.spring.annotation.DynamoLocked
import io.dynamolock.spring.aspect.AspectContext
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

/** How suspending functions and flows reach their locks, want several, and fall back. */
class KotlinLockInsideTest {

    private val context = AspectContext(Work::class.java)
    private val locks: FakeLockRegistry = context.locks
    private val work: Work = context.bean(Work::class.java)

    @AfterEach
    fun close() = context.close()

    open class Work {

        @DynamoLocked(keys = ["#key", "'b'"])
        open suspend fun several(key: String): List<CurrentLock> =
            withContext(Dispatchers.Default) { CurrentLock.allOf(reactorContext()) }

        @DynamoLocked(key = "#key + #root.args.length")
        open suspend fun valid(key: String): Boolean =
            withContext(Dispatchers.Default) { CurrentLock.of(reactorContext()).handle().isValid }

        @DynamoLocked(key = "#key")
        open suspend fun required(key: String): List<String> {
            CurrentLock.required()
            val before = CurrentLock.get().handle().key()
            delay(1)
            CurrentLock.required()
            return listOf(before, withContext(Dispatchers.Default) { CurrentLock.get().handle().key() })
        }

        open suspend fun direct(key: String): List<String> = required(key)

        @DynamoLocked(key = "'outer'")
        open suspend fun underAnother(key: String): List<String> {
            delay(1)
            return required(key)
        }

        @DynamoLocked(key = "#key")
        open suspend fun again(key: String): String {
            CurrentLock.required()
            delay(1)
            return if (key.length > 1) again(key.drop(1)) else key
        }

        @DynamoLocked(key = "#key")
        open suspend fun throughTheProxy(key: String, proxy: Work): String {
            CurrentLock.required()
            return if (key.length > 1) proxy.throughTheProxy(key.drop(1), proxy) else key
        }

        @DynamoLocked(key = "#key", fallbackMethod = "shipLater")
        open suspend fun ship(key: String): String = error("entered")

        open suspend fun shipLater(key: String, timeout: LockTimeoutException): String =
            withContext(Dispatchers.Default) { "later " + key + timeout.key() }

        @DynamoLocked(key = "#key", fallbackMethod = "noItems")
        open fun items(key: String): Flow<String> = error("entered")

        fun noItems(key: String): Flow<String> = flowOf("no items of $key")
    }

    open class FallsBackWithoutSuspending {

        @DynamoLocked(key = "#key", fallbackMethod = "later")
        open suspend fun ship(key: String): String = key

        open fun later(key: String): String = key
    }

    @Test
    fun aSuspendingFunctionTakesAllOfSeveralLocks() = runBlocking<Unit> {
        assertThat(work.several("a")).hasSize(2)
        assertThat(locks.together.single()).extracting<String>(LockRequest::key).containsExactly("a", "b")
        assertThat(locks.handles).hasSize(2).allMatch { it.isReleased }
    }

    @Test
    fun aSuspendingFunctionThatRequiresItsLockFailsWithoutIt() = runBlocking<Unit> {
        assertThat(work.required("a")).containsExactly("a", "a")
        assertThatThrownBy { runBlocking { work.direct("a") } }
            .isInstanceOf(IllegalStateException::class.java)
            .hasMessageContaining("was entered without the lock")
        assertThatThrownBy { runBlocking { work.underAnother("a") } }.isInstanceOf(IllegalStateException::class.java)
        assertThat(CurrentLock.all()).isEmpty()
    }

    @Test
    fun aSuspendingFunctionThatRequiresItsLockCallsItselfOnlyThroughTheProxy() = runBlocking<Unit> {
        assertThat(work.again("a")).isEqualTo("a")
        assertThat(work.throughTheProxy("abc", work)).isEqualTo("c")
        assertThatThrownBy { runBlocking { work.again("ab") } }
            .isInstanceOf(IllegalStateException::class.java)
            .hasMessageContaining("was entered without the lock")
    }

    @Test
    fun aSuspendingFunctionReachesItsLockOnWhateverThread() = runBlocking<Unit> {
        assertThat(work.valid("k")).isTrue()
        assertThat(locks.onlyRequest().key()).isEqualTo("k1")
    }

    @Test
    fun aFallbackSuspendsAsItsFunctionDoes() = runBlocking<Unit> {
        locks.timesOut = true
        assertThat(work.ship("k")).isEqualTo("later kk")
        assertThat(work.items("k").toList()).containsExactly("no items of k")
    }

    @Test
    fun aFallbackThatDoesNotSuspendIsRefused() {
        assertThatThrownBy { AspectContext(FallsBackWithoutSuspending::class.java) }
            .rootCause()
            .hasMessageContaining("the fallbackMethod \"later\" does not exist in FallsBackWithoutSuspending.")
            .hasMessageContaining("Write one method suspend Object later(String)")
    }
}

private suspend fun reactorContext() = currentCoroutineContext()[ReactorContext]!!.context
