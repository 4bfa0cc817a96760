package io.dynamolock.sample.conversations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.sample.conversations.Transcript.Turn;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.test.embedded.EmbeddedDynamoDb;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** One conversation over two instances of the service, each with a lock registry of its own, in one DynamoDB. */
class TwoInstancesTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static EmbeddedDynamoDb dynamoDb;
    private static DynamoDbClient client;

    private final String id = UUID.randomUUID().toString();
    private final Instance first = new Instance();
    private final Instance second = new Instance();

    @BeforeAll
    static void startDynamoDb() {
        dynamoDb = EmbeddedDynamoDb.start(0);
        client = DynamoDbClient.builder()
                .endpointOverride(dynamoDb.endpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build();
        new Transcripts(client).afterPropertiesSet();
    }

    @AfterAll
    static void stopDynamoDb() {
        client.close();
        dynamoDb.close();
    }

    @BeforeEach
    void start() {
        first.start();
        second.start();
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void aSecondMessageWaitsForTheAnswerAndKnowsIt() throws InterruptedException {
        CompletableFuture<String> answer = first.ask(id, "Who are you?");
        Question asked = first.question();
        asked.words.tryEmitNext("Anna").orThrow();
        CompletableFuture<String> next = second.ask(id, "And now?");
        await().atMost(PATIENCE).until(() -> second.locks.admin().waiting() == 1);
        assertThat(second.questions).isEmpty();

        asked.words.tryEmitComplete().orThrow();

        assertThat(answer).succeedsWithin(PATIENCE).isEqualTo("Anna");
        Question later = second.question();
        assertThat(later.said.turns()).containsExactly(new Turn("Who are you?", "Anna"));
        later.words.tryEmitNext("Bert").orThrow();
        later.words.tryEmitComplete().orThrow();
        assertThat(next).succeedsWithin(PATIENCE).isEqualTo("Bert");
        assertThat(first.transcripts.look(id).turns())
                .containsExactly(new Turn("Who are you?", "Anna"), new Turn("And now?", "Bert"));
    }

    @Test
    void otherConversationsDoNotWait() throws InterruptedException {
        CompletableFuture<String> answer = first.ask(id, "Hello");
        first.question();

        second.ask(id + "-another", "Hello");

        assertThat(second.question().said.turns()).isEmpty();
        assertThat(answer).isNotDone();
    }

    @Test
    void aStopAtOneInstanceEndsTheAnswerOfTheOther() throws InterruptedException {
        CompletableFuture<String> answer = first.ask(id, "Tell me all");
        Question asked = first.question();
        asked.words.tryEmitNext("First").orThrow();

        second.conversations.stop(id).block(PATIENCE);

        assertThat(answer).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(LockLostException.class);
        assertThat(asked.words.currentSubscriberCount())
                .as("the assistant was told")
                .isZero();
        assertThat(first.transcripts.look(id).turns()).isEmpty();
        second.ask(id, "Hello");
        assertThat(second.question().said.turns()).isEmpty();
    }

    @Test
    void aStopWithoutAnAnswerDoesNothing() {
        second.conversations.stop(id).block(PATIENCE);

        assertThat(second.transcripts.look(id).turns()).isEmpty();
    }

    @Test
    void aClientThatLeavesFreesItsConversationAndNothingIsWritten() throws InterruptedException {
        CompletableFuture<String> answer = first.ask(id, "Hello");
        first.question().words.tryEmitNext("Good ").orThrow();

        answer.cancel(false);

        second.ask(id, "Hello again");
        assertThat(second.question().said.turns()).isEmpty();
    }

    @Test
    void theMessageAfterADeathIsAnsweredAfterALeaseAndTheLateWriteRefused() throws InterruptedException {
        CompletableFuture<String> answer = first.ask(id, "Hello");
        Question asked = first.question();
        asked.words.tryEmitNext("Good ").orThrow();
        long token = first.locks.admin().held().get(0).fencingToken();
        first.freeze();

        CompletableFuture<String> next = second.ask(id, "Hello again");
        Question later = second.question();

        assertThat(later.said.turns()).as("nothing is there of the broken turn").isEmpty();
        // What a process would do that stood still as a whole, and does not know yet that it has lost the lock.
        assertThatThrownBy(() -> first.transcripts
                        .write(asked.said.with("Hello", "Good day"), token)
                        .block(PATIENCE))
                .isInstanceOf(LateTurnException.class);
        assertThat(answer).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(LockLostException.class);
        later.words.tryEmitNext("Welcome back").orThrow();
        later.words.tryEmitComplete().orThrow();
        assertThat(next).succeedsWithin(PATIENCE);
        assertThat(second.transcripts.look(id).turns()).containsExactly(new Turn("Hello again", "Welcome back"));
    }

    /** What the assistant was asked, and the words that it is to say. */
    private record Question(Transcript said, String message, Sinks.Many<String> words) {}

    @Configuration
    @EnableDynamoLocks
    static class Locks {}

    private static final class Instance {

        private final BlockingQueue<Question> questions = new LinkedBlockingQueue<>();
        private final CountDownLatch thawed = new CountDownLatch(1);
        private final LockRegistry locks = LockRegistry.builder(freezing(client))
                .tableName("conversation-locks")
                .lease(LEASE)
                .build();
        private final Transcripts transcripts = new Transcripts(client);
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private volatile boolean frozen;
        private Conversations conversations;

        void start() {
            locks.admin().table().orElseThrow().createIfMissing();
            context.register(Locks.class, Conversations.class);
            context.registerBean(LockRegistry.class, () -> locks);
            context.registerBean(Transcripts.class, () -> transcripts);
            context.registerBean(Assistant.class, () -> this::answer);
            context.refresh();
            conversations = context.getBean(Conversations.class);
        }

        private Flux<String> answer(Transcript said, String message) {
            Sinks.Many<String> words = Sinks.many().unicast().onBackpressureBuffer();
            questions.add(new Question(said, message, words));
            return words.asFlux();
        }

        CompletableFuture<String> ask(String id, String message) {
            return conversations.answer(id, message).reduce("", String::concat).toFuture();
        }

        Question question() throws InterruptedException {
            Question asked = questions.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(asked).as("the assistant is asked").isNotNull();
            return asked;
        }

        /** From now on no call of its locks reaches the table, as of a process that is dead or stands still. */
        void freeze() {
            frozen = true;
        }

        private DynamoDbClient freezing(DynamoDbClient client) {
            return (DynamoDbClient) Proxy.newProxyInstance(
                    DynamoDbClient.class.getClassLoader(),
                    new Class<?>[] {DynamoDbClient.class},
                    (proxy, method, args) -> call(client, method, args));
        }

        private @Nullable Object call(DynamoDbClient client, Method method, Object[] args) throws Throwable {
            if (method.getName().equals("close")) {
                return null;
            }
            if (frozen) {
                thawed.await();
            }
            try {
                return method.invoke(client, args);
            } catch (InvocationTargetException failure) {
                throw failure.getTargetException();
            }
        }

        void close() {
            thawed.countDown();
            context.close();
        }
    }
}
