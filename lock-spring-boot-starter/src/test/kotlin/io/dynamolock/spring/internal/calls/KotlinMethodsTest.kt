package io.dynamolock.spring.internal.calls

import io.dynamolock.FakeLockRegistry
import io.dynamolock.LockLostException
import io.dynamolock.LockTimeoutException
import io.dynamolock.spring.annotation.DynamoLocked
import io.dynamolock.spring.annotation.OnTimeout
import io.dynamolock.spring.aspect.AspectContext
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

/** Suspending functions and flows of Kotlin. */
class KotlinMethodsTest {

    private val context = AspectContext(KotlinWork::class.java)
    private val locks: FakeLockRegistry = context.locks
    private val work: KotlinWork = context.bean(KotlinWork::class.java)

    @AfterEach
    fun close() = context.close()

    private suspend fun until(condition: () -> Boolean) = withTimeout(30.seconds) { while (!condition()) yield() }

    open class KotlinWork {

        @DynamoLocked(key = "#key")
        open suspend fun run(key: String, body: suspend () -> String): String = body()

        @DynamoLocked(key = "#key")
        open suspend fun unit(key: String, body: suspend () -> Unit) {
            body()
        }

        @DynamoLocked(key = "#key")
        open fun flow(key: String, body: Flow<String>): Flow<String> = body

        @DynamoLocked(key = "#root.args.length + '-' + #p0 + '-' + #number")
        open suspend fun arguments(text: String, number: Int): String = text + number

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        open suspend fun skipped(): String? = error("entered")

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        open suspend fun skippedList(): List<String> = error("entered")

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        open suspend fun skippedNumber(): Int = error("entered")

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        open suspend fun skippedUnit(): Unit = error("entered")

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        open fun skippedFlow(): Flow<String> = error("entered")
    }

    open class SkippedButNeverNull {

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        open suspend fun run(): String = ""
    }

    open class HidesAFlow {

        @DynamoLocked(key = "'k'")
        open suspend fun run(): Flow<String> = flowOf()
    }

    @Test
    fun aSuspendingFunctionHoldsItsLockUntilItReturns() {
        val result = runBlocking {
            work.run("k") {
                yield()
                assertThat(locks.lastHandle().isReleased).isFalse()
                "done"
            }
        }
        assertThat(result).isEqualTo("done")
        assertThat(locks.lastHandle().isReleased).isTrue()
        runBlocking { work.unit("k") {} }
        assertThat(locks.handles).hasSize(2).allMatch { it.isReleased }
    }

    @Test
    fun theCallerSuspendsWhileItWaitsAndItsThreadIsFree() = runBlocking<Unit> {
        locks.holdsBack = true
        val answer = async { work.run("k") { "done" } }
        until { locks.waiting.isNotEmpty() }
        locks.grantNext()
        assertThat(answer.await()).isEqualTo("done")
    }

    @Test
    fun aFailureIsTheCallersAndReleases() {
        assertThatThrownBy { runBlocking { work.run("k") { throw IllegalStateException("disk full") } } }
            .isInstanceOf(IllegalStateException::class.java)
            .hasMessage("disk full")
        assertThat(locks.lastHandle().isReleased).isTrue()
    }

    @Test
    fun aCancelledCoroutineReleasesOrLeavesTheQueue() = runBlocking<Unit> {
        val holder = launch { work.run("k") { awaitCancellation() } }
        until { locks.handles.isNotEmpty() }
        holder.cancelAndJoin()
        until { locks.lastHandle().isReleased }

        locks.holdsBack = true
        val waiter = launch { work.run("k") { error("entered") } }
        until { locks.waiting.isNotEmpty() }
        waiter.cancelAndJoin()
        assertThat(locks.waiting[0].future()).isCancelled()
    }

    /** It may have to tidy up, or not look at its job at all. */
    @Test
    fun aCancelledFunctionKeepsItsLockUntilItHasEnded() = runBlocking<Unit> {
        val mayEnd = CompletableDeferred<Unit>()
        val function = launch { work.run("k") { withContext(NonCancellable) { mayEnd.await() }.let { "" } } }
        until { locks.handles.isNotEmpty() }
        yield()
        function.cancelAndJoin()
        assertThat(locks.lastHandle().isReleased).isFalse()
        mayEnd.complete(Unit)
        until { locks.lastHandle().isReleased }

        val flowMayEnd = CompletableDeferred<Unit>()
        val tidy = flow {
            try {
                emit("a")
                awaitCancellation()
            } finally {
                withContext(NonCancellable) { flowMayEnd.await() }
            }
        }
        assertThat(work.flow("k", tidy).first()).isEqualTo("a")
        assertThat(locks.lastHandle().isReleased).isFalse()
        flowMayEnd.complete(Unit)
        until { locks.lastHandle().isReleased }
        assertThat(locks.handles).hasSize(2)
    }

    @Test
    fun reentrancyFollowsTheCoroutineAndNotTheThread() = runBlocking<Unit> {
        val result = work.run("k") { withContext(Dispatchers.Default) { work.run("k") { "inner" } } }
        assertThat(result).isEqualTo("inner")
        assertThat(locks.requests).hasSize(1)
        work.run("k") { work.flow("k", flow { emit(work.run("k") { "in a flow" }) }).first() }
        assertThat(locks.requests).hasSize(2)
        assertThat(locks.handles).allMatch { it.isReleased }
    }

    @Test
    fun aCoroutineBesideItIsAnotherCaller() = runBlocking<Unit> {
        val here = this
        work.run("k") {
            here.launch { work.run("k") { "" } }.join()
            ""
        }
        assertThat(locks.requests).hasSize(2)
    }

    @Test
    fun theFunctionRunsInTheContextOfItsCaller() {
        Executors.newSingleThreadExecutor { Thread(it, "of-the-caller") }.asCoroutineDispatcher().use { dispatcher ->
            val seen = runBlocking(dispatcher + CoroutineName("my-job")) {
                listOf(
                    work.run("k") { context() },
                    work.flow("k", flow { emit(context()) }).first(),
                )
            }
            assertThat(seen).allSatisfy { assertThat(it).startsWith("of-the-caller").endsWith("/my-job") }
        }
    }

    private suspend fun context() =
        Thread.currentThread().name.substringBefore(' ') + "/" + currentCoroutineContext()[CoroutineName]?.name

    @Test
    fun eachCollectionOfAFlowHoldsALockOfItsOwnUntilItEnds() = runBlocking<Unit> {
        val flow = work.flow("k", flowOf("a", "b"))
        assertThat(locks.requests).isEmpty()
        val seen = mutableListOf<String>()
        flow.collect {
            yield()
            seen.add(it + if (locks.lastHandle().isReleased) " released" else " held")
        }
        assertThat(seen).containsExactly("a held", "b held")
        assertThat(locks.handles.single().isReleased).isTrue()
        assertThat(flow.toList()).containsExactly("a", "b")
        assertThat(locks.handles).hasSize(2).allMatch { it.isReleased }
    }

    @Test
    fun aFlowThatIsLeftEarlyReleases() = runBlocking<Unit> {
        val ended = mutableListOf<Throwable?>()
        val endless = flow {
            emit("a")
            awaitCancellation()
        }
        assertThat(work.flow("k", endless.onCompletion { ended.add(it) }).first()).isEqualTo("a")
        until { ended.isNotEmpty() && locks.lastHandle().isReleased }
    }

    @Test
    fun aLostLockEndsTheFunctionAndTheFlow() {
        assertThatThrownBy {
            runBlocking {
                work.run("k") {
                    locks.lastHandle().lose()
                    awaitCancellation()
                }
            }
        }.isInstanceOf(LockLostException::class.java)
        val flow = flow {
            emit("a")
            locks.lastHandle().lose()
            awaitCancellation()
        }
        assertThatThrownBy { runBlocking { work.flow("k", flow).toList() } }
            .isInstanceOf(LockLostException::class.java)
        assertThat(locks.handles).allMatch { it.isReleased }
    }

    @Test
    fun theKeyKnowsTheArgumentsThatWereWritten() = runBlocking<Unit> {
        assertThat(work.arguments("a", 7)).isEqualTo("a7")
        assertThat(locks.onlyRequest().key()).isEqualTo("2-a-7")
    }

    @Test
    fun aTimeoutIsTheCallersAndASkippedFunctionReturnsNothing() = runBlocking<Unit> {
        locks.timesOut = true
        assertThatThrownBy { runBlocking { work.run("k") { error("entered") } } }
            .isInstanceOf(LockTimeoutException::class.java)
        assertThat(work.skipped()).isNull()
        assertThat(work.skippedList()).isEmpty()
        assertThat(work.skippedNumber()).isEqualTo(0)
        work.skippedUnit()
        assertThat(work.skippedFlow().toList()).isEmpty()
    }

    @Test
    fun whatCannotWorkStopsTheApplication() {
        assertThatThrownBy { AspectContext(SkippedButNeverNull::class.java) }
            .rootCause()
            .hasMessageContaining("onTimeout = SKIP gives nothing, but the method must give a String.")
        assertThatThrownBy { AspectContext(HidesAFlow::class.java) }
            .rootCause()
            .hasMessageContaining("it suspends and returns a Flow.")
    }
}
