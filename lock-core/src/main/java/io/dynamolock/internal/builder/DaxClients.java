package io.dynamolock.internal.builder;

import io.dynamolock.InvalidSettingException;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Recognizes clients of DAX, Amazon's cache before DynamoDB, by the packages of their classes. Locking reads refuse
 * them as well.
 */
public final class DaxClients {

    private DaxClients() {}

    /** @throws InvalidSettingException if it is a client of DAX; says why locks cannot use it, and what to do */
    public static <C> C refused(C client) {
        if (isOfDax(Objects.requireNonNull(client, "client").getClass())) {
            throw new InvalidSettingException(
                    "The client " + client.getClass().getName() + " is a client of DAX, and locks cannot use DAX: its"
                            + " item cache answers reads with old items, so that waiting processes do not see how a lock"
                            + " moves on; and the answer to a conditional write, also to a refused one, must show the"
                            + " item as DynamoDB has it now. Give the locks a client of DynamoDB itself; the rest of the"
                            + " application may go on with DAX.",
                    "client");
        }
        return client;
    }

    /** Superclasses count too, because a framework may have made a subclass. */
    private static boolean isOfDax(Class<?> client) {
        return Stream.<Class<?>>iterate(client, Objects::nonNull, Class::getSuperclass)
                .map(Class::getName)
                .anyMatch(name -> name.startsWith("software.amazon.dax.") || name.startsWith("com.amazon.dax."));
    }
}
