package io.dynamolock.spring.internal.calls

import io.dynamolock.FakeLockRegistry
import io.dynamolock.LockLostException
import io.dynamolock.spring.annotation.DynamoLocked
import io.dynamolock.spring.aspect.AspectContext
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

/** Methods that return a coroutine of their own. */
class KotlinDeferredTest {

    private val context = AspectContext(Jobs::class.java)
    private val locks: FakeLockRegistry = context.locks
    private val jobs: Jobs = context.bean(Jobs::class.java)

    @AfterEach
    fun close() = context.close()

    open class Jobs {

        @DynamoLocked(key = "'k'")
        open fun run(body: suspend () -> String): Deferred<String> =
            CoroutineScope(Dispatchers.Default).async { body() }

        @DynamoLocked(key = "'k'")
        open fun begin(body: () -> Deferred<String>): Deferred<String> = body()

        @DynamoLocked(key = "'k'")
        open fun none(): Deferred<String>? = null
    }

    private fun test(body: suspend CoroutineScope.() -> Unit) = runBlocking { withTimeout(5.minutes, body) }

    @Test
    fun aDeferredHoldsItsLockUntilItIsThere() = test {
        val mayEnd = CompletableDeferred<String>()
        val answer = jobs.run { mayEnd.await() }
        assertThat(locks.lastHandle().isReleased).isFalse()
        mayEnd.complete("done")
        assertThat(answer.await()).isEqualTo("done")
        assertThat(locks.lastHandle().isReleased).isTrue()
    }

    @Test
    fun aCancelEndsTheCoroutineAndTheLockIsHeldUntilThen() = test {
        val begun = CompletableDeferred<Unit>()
        val toldToEnd = CompletableDeferred<Unit>()
        val mayEnd = CompletableDeferred<Unit>()
        val answer = jobs.run {
            try {
                begun.complete(Unit)
                awaitCancellation()
            } finally {
                toldToEnd.complete(Unit)
                withContext(NonCancellable) { mayEnd.await() }
            }
        }
        begun.await()
        answer.cancelAndJoin()
        assertThat(locks.lastHandle().isReleased).isFalse()
        toldToEnd.await()
        mayEnd.complete(Unit)
        while (!locks.lastHandle().isReleased) yield()
    }

    @Test
    fun aLazyDeferredIsStartedAndReleases() = test {
        val answer = jobs.begin { CoroutineScope(Dispatchers.Default).async(start = CoroutineStart.LAZY) { "done" } }
        assertThat(answer.await()).isEqualTo("done")
        assertThat(locks.lastHandle().isReleased).isTrue()
    }

    @Test
    fun aCoroutineKeepsTheLockThatBeginsWhenItsCallerHasCancelled() = test {
        locks.holdsBack = true
        val begun = CompletableDeferred<Unit>()
        val mayBegin = CountDownLatch(1)
        val mayEnd = CompletableDeferred<Unit>()
        val answer = jobs.begin {
            begun.complete(Unit)
            mayBegin.await(10, TimeUnit.SECONDS)
            CoroutineScope(Dispatchers.Default).async(start = CoroutineStart.UNDISPATCHED) {
                withContext(NonCancellable) { mayEnd.await() }
                "done"
            }
        }
        val granted = launch(Dispatchers.IO) { locks.grantNext() }
        begun.await()
        answer.cancelAndJoin()
        assertThat(locks.lastHandle().isReleased).isFalse()
        mayBegin.countDown()
        granted.join()
        assertThat(locks.lastHandle().isReleased).isFalse()
        mayEnd.complete(Unit)
        while (!locks.lastHandle().isReleased) yield()
    }

    @Test
    fun aMethodThatThrowsWhenItsCallerHasCancelledReleases() = test {
        locks.holdsBack = true
        val begun = CompletableDeferred<Unit>()
        val mayThrow = CountDownLatch(1)
        val answer = jobs.begin {
            begun.complete(Unit)
            mayThrow.await(10, TimeUnit.SECONDS)
            error("no")
        }
        val granted = launch(Dispatchers.IO) { locks.grantNext() }
        begun.await()
        answer.cancelAndJoin()
        assertThat(locks.lastHandle().isReleased).isFalse()
        mayThrow.countDown()
        granted.join()
        while (!locks.lastHandle().isReleased) yield()
    }

    @Test
    fun aLostLockEndsTheCoroutine() = test {
        val begun = CompletableDeferred<Unit>()
        val ended = CompletableDeferred<Unit>()
        val answer = jobs.run {
            try {
                begun.complete(Unit)
                awaitCancellation()
            } finally {
                ended.complete(Unit)
            }
        }
        begun.await()
        locks.lastHandle().lose()
        ended.await()
        assertThatThrownBy { runBlocking { answer.await() } }.isInstanceOf(LockLostException::class.java)
    }

    @Test
    fun aMethodThatGivesNoneFailsAndReleases() {
        assertThatThrownBy { test { jobs.none()!!.await() } }
            .isInstanceOf(IllegalStateException::class.java)
            .hasMessageContaining("Jobs.none(): it returned null instead of a Deferred.")
        assertThat(locks.lastHandle().isReleased).isTrue()
    }
}
