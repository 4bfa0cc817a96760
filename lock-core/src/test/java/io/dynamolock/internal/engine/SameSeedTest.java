package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.InterceptedLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A seed that fails must fail again elsewhere: no order may depend on a virtual machine's own hash codes. */
class SameSeedTest {

    @Test
    void aSeedTellsTheSameStoryInAnotherVirtualMachine() throws Exception {
        ProcessBuilder other = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                SameSeedTest.class.getName());
        other.environment()
                .put(
                        "CLASSPATH",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        other.redirectError(ProcessBuilder.Redirect.DISCARD);

        Process process = other.start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(told.strip()).isEqualTo(stories().toString()).contains(", ");
    }

    /** Prints the stories. */
    public static void main(String[] arguments) {
        System.out.println(stories());
    }

    private static List<Integer> stories() {
        EngineSimulation.Story story = new EngineSimulation.Story(true, EngineSimulation.Mishap.values());
        return List.of(story(1, story), story(2, story), story(3, story));
    }

    private static int story(long seed, EngineSimulation.Story story) {
        Written written = new Written();
        new EngineSimulation(seed, story, written).run();
        return written.hash;
    }

    /** Computes one number from all edits in their order. */
    private static final class Written implements EngineSimulation.Parts {

        private int hash;

        @Override
        public LockStore table(InMemoryLockStore table) {
            return new InterceptedLockStore(table) {
                @Override
                public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now) {
                    hash = 31 * hash + (now + " " + key + " " + edit).hashCode();
                    return super.edit(key, edit, now);
                }

                @Override
                protected <T> CompletionStage<T> intercept(
                        StoreOperation operation, Supplier<CompletionStage<T>> call) {
                    return call.get();
                }
            };
        }
    }
}
