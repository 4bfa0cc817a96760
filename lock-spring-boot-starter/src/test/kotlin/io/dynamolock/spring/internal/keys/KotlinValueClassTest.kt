package io.dynamolock.spring.internal.keys

import io.dynamolock.spring.annotation.DynamoLocked
import io.dynamolock.spring.annotation.InvalidDynamoLockedException
import io.dynamolock.spring.aspect.AspectContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

/** Keys from value classes of Kotlin, which are other types at run time than in the source. */
class KotlinValueClassTest {

    @JvmInline value class OrderId(val value: String)

    @JvmInline value class Number(val value: Int)

    data class Line(val order: OrderId, val number: Number)

    open class Orders {

        @DynamoLocked(key = "#id") open fun ship(id: OrderId) {}

        @DynamoLocked(key = "#id") open fun maybe(id: Number?) {}

        @DynamoLocked(keys = ["#ids"]) open fun all(ids: List<OrderId>) {}

        @DynamoLocked(key = "'o:' + #line.order + #line.number") open fun ofLine(line: Line) {}

        @DynamoLocked(key = "#line") open fun line(line: Line) {}
    }

    open class ReadsTheValue {

        @DynamoLocked(key = "'o:' + #id.value") open fun ship(id: OrderId) {}
    }

    @Test
    fun aValueClassIsAKeyWhereverItsValueIsKept() {
        AspectContext(Orders::class.java).use { context ->
            val orders = context.bean(Orders::class.java)
            context.asksFor("7") { orders.ship(OrderId("7")) }
            context.asksFor("8") { orders.maybe(Number(8)) }
            context.asksFor("9") { orders.all(listOf(OrderId("9"))) }
            context.asksFor("o:72") { orders.ofLine(Line(OrderId("7"), Number(2))) }
            context.asksFor("Line[order=\"7\", number=2]") { orders.line(Line(OrderId("7"), Number(2))) }
        }
    }

    @Test
    fun aPropertyThatTheValueHasNotIsRefusedAtTheStartByThePlainName() {
        assertThatThrownBy { AspectContext(ReadsTheValue::class.java) }
            .rootCause()
            .isInstanceOf(InvalidDynamoLockedException::class.java)
            .hasMessageContaining("ReadsTheValue.ship(String)")
            .hasMessageContaining("reads value of #id, but a String has no such property.")
            .hasMessageContaining("value class")
    }

    /** Has getters whose names differ in nothing but what the compiler adds. */
    @Suppress("unused")
    class Twins {
        fun `getA-abcdefg`() = "added"
        fun `getB-abcdefg`() = "added"
        fun `getC-abcdefg`() = "added"
        fun `getD-abcdefg`() = "added"
        fun `getE-abcdefg`() = "added"
        fun `getF-abcdefg`() = "added"
        fun `getF-1234567`() = "added"
        fun getA() = "plain"
        fun getB() = "plain"
        fun getC() = "plain"
        fun getD() = "plain"
        fun getE() = "plain"
        fun `getH-1234567`() = "added"
        fun `getH-abcdefg`() = "added"
        fun `getI-x`() = "of another property"
    }

    @Test
    fun ofTwoGettersTheSameIsReadInEveryProcess() {
        for (name in listOf("getA", "getB", "getC", "getD", "getE")) {
            assertThat(ValueClasses.find(Twins::class.java, name)!!.name).isEqualTo(name)
        }
        assertThat(ValueClasses.find(Twins::class.java, "getF")!!.name).isEqualTo("getF-1234567")
        assertThat(ValueClasses.find(Twins::class.java, "getH")!!.name).isEqualTo("getH-1234567")
        assertThat(ValueClasses.find(Twins::class.java, "getI")).describedAs("getter of `i-x`").isNull()
    }

    interface HasOrder {
        val order: Any
    }

    class Parcel(override val order: OrderId) : HasOrder

    @Test
    fun aGetterThatIsAlsoThatOfAnInterfaceIsReadAsTheValue() {
        val getter = ValueClasses.find(Parcel::class.java, "getOrder")!!
        assertThat(ValueClasses.unboxed(getter.invoke(Parcel(OrderId("7"))))).isEqualTo("7")
    }

    @Test
    fun theMethodsOfAClassAreLookedForOnce() {
        assertThat(ValueClasses.find(Line::class.java, "getOrder"))
            .isNotNull()
            .isSameAs(ValueClasses.find(Line::class.java, "getOrder"))
    }

    @Test
    fun theNameOfTheLockIsThatOfTheSource() {
        AspectContext(Orders::class.java).use { context ->
            context.bean(Orders::class.java).ship(OrderId("7"))
            assertThat(context.locks.onlyRequest().name()).isEqualTo("Orders.ship")
        }
    }
}
