package io.dynamolock.spring.internal.declarations

import io.dynamolock.spring.annotation.DynamoLocked
import io.dynamolock.spring.aspect.AspectContext
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.springframework.boot.test.system.CapturedOutput
import org.springframework.boot.test.system.OutputCaptureExtension

/** Kotlin's compiler puts bodies of lambdas and of suspending functions into other methods and classes. */
@ExtendWith(OutputCaptureExtension::class)
class KotlinSelfCallsTest {

    interface Shop {
        fun sell(id: String)

        fun sellTwo(id: String) {
            sell(id)
            sell(id)
        }
    }

    open class Orders : Shop {

        @DynamoLocked(key = "#id") override fun sell(id: String) {}

        @DynamoLocked(key = "#id")
        open suspend fun place(id: String) {
            delay(1)
            delay(1)
        }

        open suspend fun suspending() {
            delay(1)
            place("1")
            delay(1)
        }

        open suspend fun elsewhere() = withContext(Dispatchers.Default) { place("1") }

        open fun inALambda() = listOf("1").forEach(::println).also { run { later { sell("1") } } }

        open fun later(work: () -> Unit) = work()

        @DynamoLocked(key = "'all'")
        open suspend fun locked() = withContext(Dispatchers.Default) { place("1") }
    }

    open class Blameless {

        @DynamoLocked(key = "#id")
        open suspend fun place(id: String) {
            delay(1)
            withContext(Dispatchers.Default) { delay(1) }
        }
    }

    @Test
    fun theStartNamesSuspendingFunctionsAndLambdasThatCallALockedOne(output: CapturedOutput) {
        AspectContext(Orders::class.java, Blameless::class.java).close()
        assertThat(output)
            .contains(
                "Orders calls its own @DynamoLocked methods in" +
                    " KotlinSelfCallsTest.Shop.sellTwo, elsewhere, inALambda, suspending:"
            )
            .doesNotContain("Blameless calls")
    }
}
