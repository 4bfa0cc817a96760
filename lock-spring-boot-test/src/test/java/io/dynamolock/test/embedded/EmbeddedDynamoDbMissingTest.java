package io.dynamolock.test.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

class EmbeddedDynamoDbMissingTest {

    /** Loads the module's own classes anew, in a world without DynamoDB Local. */
    private static final class WithoutDynamoDbLocal extends URLClassLoader {

        WithoutDynamoDbLocal() {
            super(new URL[] {
                EmbeddedDynamoDb.class.getProtectionDomain().getCodeSource().getLocation()
            });
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("software.amazon.dynamodb.") || name.startsWith("org.eclipse.jetty.")) {
                throw new ClassNotFoundException(name);
            }
            if (name.startsWith("io.dynamolock.test.embedded.")) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    @Test
    void namesTheDependencyToAdd() throws Exception {
        try (WithoutDynamoDbLocal loader = new WithoutDynamoDbLocal()) {
            Class<?> embedded = Class.forName(EmbeddedDynamoDb.class.getName(), true, loader);
            Method start = embedded.getMethod("start", int.class);
            Throwable failure = catchThrowableOfType(InvocationTargetException.class, () -> start.invoke(null, 0))
                    .getCause();
            assertThat(failure.getClass().getName()).isEqualTo(EmbeddedDynamoDbException.class.getName());
            assertThat(failure.getMessage()).contains("DynamoDB Local is not on the class path");
            assertThat(failure.getClass().getMethod("remedy").invoke(failure).toString())
                    .contains("software.amazon.dynamodb:DynamoDBLocal");
        }
    }
}
