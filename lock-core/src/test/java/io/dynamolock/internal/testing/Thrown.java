package io.dynamolock.internal.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a call fails with, and what its message must say. */
public final class Thrown {

    private Thrown() {}

    /** @return the failure, of which more may be asked */
    public static <E extends Throwable> E thrown(Class<E> type, ThrowingCallable call, String... inMessage) {
        E failure = catchThrowableOfType(type, call);
        assertThat(failure).as("what is thrown").isNotNull();
        for (String words : inMessage) {
            assertThat(failure).hasMessageContaining(words);
        }
        return failure;
    }

    /** By an {@link IllegalArgumentException}. */
    public static void refused(ThrowingCallable call, String... inMessage) {
        thrown(IllegalArgumentException.class, call, inMessage);
    }
}
