package io.dynamolock.spring.internal.calls

import io.dynamolock.FakeLockRegistry
import io.dynamolock.LockLostException
import io.dynamolock.spring.annotation.DynamoLocked
import io.dynamolock.spring.aspect.AspectContext
import java.util.concurrent.TimeoutException
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.aopalliance.intercept.MethodInterceptor
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.aop.support.DefaultPointcutAdvisor
import org.springframework.aop.support.NameMatchMethodPointcut
import reactor.core.publisher.Mono

/** Suspending functions that go on after they have been told to end. */
class KotlinWorkEndsTest {

    private val context = AspectContext(Work::class.java, TwiceInside::class.java, ImpatientInside::class.java)
    private val locks: FakeLockRegistry = context.locks
    private val work: Work = context.bean(Work::class.java)
    private val begun = CompletableDeferred<Unit>()
    private val mayEnd = CompletableDeferred<Unit>()

    @AfterEach
    fun close() = context.close()

    open class Work {

        @DynamoLocked(keys = ["'a'", "'b'"])
        open suspend fun several(body: suspend () -> String): String = body()

        @DynamoLocked(key = "'k'")
        open suspend fun twice(body: suspend () -> String): String = body()

        @DynamoLocked(key = "'k'")
        open suspend fun impatient(body: suspend () -> String): String = body()
    }

    /** Subscribes again after a failure, under the lock. */
    open class TwiceInside : DefaultPointcutAdvisor(
        NameMatchMethodPointcut().apply { addMethodName("twice") },
        MethodInterceptor { (it.proceed() as Mono<*>).retry(1) },
    )

    /** Has enough after a while, under the lock. */
    open class ImpatientInside : DefaultPointcutAdvisor(
        NameMatchMethodPointcut().apply { addMethodName("impatient") },
        MethodInterceptor { (it.proceed() as Mono<*>).timeout(10.milliseconds.toJavaDuration()) },
    )

    private fun test(body: suspend CoroutineScope.() -> Unit) = runBlocking { withTimeout(30.seconds, body) }

    private suspend fun deaf(): String {
        begun.complete(Unit)
        withContext(NonCancellable) { mayEnd.await() }
        return "done"
    }

    @Test
    fun aLossFailsTheFunctionAtOnceButItsOtherLocksAreHeldUntilItHasEnded() = test {
        val answer = async { runCatching { work.several { deaf() } } }
        begun.await()
        locks.handles[1].lose()
        assertThat(answer.await().exceptionOrNull()).isInstanceOf(LockLostException::class.java)
        assertThat(locks.handles[0].isReleased).isFalse()
        mayEnd.complete(Unit)
        while (!locks.handles.all { it.isReleased }) yield()
    }

    @Test
    fun aFunctionThatAnAspectRepeatsKeepsItsLockUntilTheLastRunHasEnded() = test {
        var calls = 0
        val caller = launch {
            work.twice {
                yield()
                if (++calls == 1) error("not yet") else deaf()
            }
        }
        begun.await()
        caller.cancelAndJoin()
        assertThat(locks.lastHandle().isReleased).isFalse()
        mayEnd.complete(Unit)
        while (!locks.lastHandle().isReleased) yield()
        assertThat(locks.requests).hasSize(1)
    }

    @Test
    fun aFunctionThatAnAspectAbandonsKeepsItsLockUntilItHasEnded() = test {
        var isHeld = false
        val answer = runCatching {
            work.impatient {
                try {
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) { delay(100) }
                    isHeld = !locks.lastHandle().isReleased
                }
            }
        }
        assertThat(answer.exceptionOrNull()).isInstanceOf(TimeoutException::class.java)
        assertThat(isHeld).isTrue()
        assertThat(locks.lastHandle().isReleased).isTrue()
    }
}
