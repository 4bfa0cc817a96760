package io.dynamolock.sample.conversations;

import static io.dynamolock.sample.Requests.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockSnapshot;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.data.LockData;
import io.dynamolock.sample.Requests;
import io.dynamolock.test.AutoConfigureDynamoLock;
import io.dynamolock.test.AutoConfigureTestLocks;
import io.dynamolock.test.TestLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** What a client reads: an answer, a conflict, an answer that ends early. */
@WebMvcTest(ConversationController.class)
@AutoConfigureDynamoLock
@AutoConfigureTestLocks
@Import(Conversations.class)
class ConversationControllerTest {

    private static final String KEY = "conversation:42";
    private static final Transcript NOTHING = new Transcript("42", List.of());

    @Autowired
    private MockMvcTester http;

    @Autowired
    private TestLocks locks;

    @Autowired
    private Conversations conversations;

    @MockitoBean
    private Assistant assistant;

    @MockitoBean
    private Transcripts transcripts;

    @BeforeEach
    void begin() {
        given(transcripts.read(eq("42"), anyLong())).willReturn(Mono.just(NOTHING));
        given(transcripts.write(any(), anyLong())).willReturn(Mono.just(NOTHING));
    }

    @Test
    void anAnswerIsSentWordByWordAndSaysThatItIsWhole() {
        given(assistant.answer(NOTHING, "Hello")).willReturn(Flux.just("Good ", "day"));

        assertThat(ask())
                .hasStatusOk()
                .bodyText()
                .isEqualTo("event:word\ndata:Good \n\nevent:word\ndata:day\n\nevent:end\ndata:whole\n\n");
        then(transcripts).should().write(eq(NOTHING.with("Hello", "Good day")), anyLong());
        locks.assertNotHeld(KEY);
    }

    @Test
    void aMessageThatHasWaitedForTenSecondsIsAConflict() {
        locks.occupy(KEY);
        CompletableFuture<List<String>> words =
                conversations.answer("42", "Hello").collectList().toFuture();
        locks.advance(Duration.ofMillis(9_900));
        assertThat(words).isNotDone();

        locks.advance(Duration.ofMillis(200));

        assertThat(words)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(LockTimeoutException.class);
    }

    @Test
    void aMessageDuringAnAnswerIsAConflictInFixedWords() {
        locks.timeOut(KEY);

        assertRefused(ask(), HttpStatus.CONFLICT).isEqualTo("An answer is under way. Wait for it, or stop it.");
        then(assistant).shouldHaveNoInteractions();
    }

    @Test
    void theLockIsHeldUntilTheAnswerEnds() {
        Sinks.Many<String> words = Sinks.many().unicast().onBackpressureBuffer();
        given(assistant.answer(NOTHING, "Hello")).willReturn(words.asFlux());
        CompletableFuture<MvcTestResult> answer = CompletableFuture.supplyAsync(this::ask);
        await().until(() -> words.currentSubscriberCount() == 1);
        words.tryEmitNext("Good ").orThrow();
        locks.assertHeld(KEY);

        words.tryEmitComplete().orThrow();

        assertThat(answer.join()).bodyText().contains("data:Good ", "data:whole");
        locks.assertNotHeld(KEY);
    }

    @Test
    void anAnswerWhoseLockIsTakenAwayEndsEarlySaysSoAndIsNotWritten() {
        Sinks.Many<String> words = Sinks.many().unicast().onBackpressureBuffer();
        given(assistant.answer(NOTHING, "Hello")).willReturn(words.asFlux());
        CompletableFuture<MvcTestResult> answer = CompletableFuture.supplyAsync(this::ask);
        await().until(() -> words.currentSubscriberCount() == 1);
        words.tryEmitNext("Good ").orThrow();

        locks.lose(KEY);

        assertThat(answer.join()).bodyText().isEqualTo("event:word\ndata:Good \n\nevent:end\ndata:stopped\n\n");
        assertThat(words.currentSubscriberCount()).as("the assistant was told").isZero();
        then(transcripts).should(never()).write(any(), anyLong());
    }

    /** As with WebFlux, whose few threads serve all requests. */
    @Test
    void aStopThatIsAskedForOnAThreadThatMustNotBlockRunsOnAnother() {
        LockRegistry registry = mock(LockRegistry.class);
        LockAdmin admin = mock(LockAdmin.class);
        given(registry.admin()).willReturn(admin);
        AtomicReference<Boolean> mayBlock = new AtomicReference<>();
        given(admin.inspect(KEY)).willAnswer(call -> {
            mayBlock.set(!Schedulers.isInNonBlockingThread());
            return new LockSnapshot(KEY, "default", Optional.empty(), List.of(), List.of(), LockData.EMPTY);
        });
        Conversations reactive = new Conversations(assistant, transcripts, registry);

        Mono.defer(() -> reactive.stop("42")).subscribeOn(Schedulers.parallel()).block(Duration.ofSeconds(30));

        assertThat(mayBlock).hasValue(true);
    }

    @Test
    void anAnswerWithoutALockIsRefusedInFixedWords() {
        locks.refuseStore();

        assertRefused(ask(), HttpStatus.SERVICE_UNAVAILABLE)
                .isEqualTo("The message was not answered, and is not in the transcript.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"text\": \" \"}", "{}", "", "[]", "{\"text\": null}"})
    void aMessageWithoutTextIsRefusedByName(String body) {
        assertRefused(Requests.post(http, "/conversations/42/messages", body), HttpStatus.BAD_REQUEST)
                .contains("text");
    }

    @Test
    void aBadConversationIsRefusedByName() {
        assertRefused(http.delete().uri("/conversations/4+2/answer").exchange(), HttpStatus.BAD_REQUEST)
                .isEqualTo("id must be 1 to 64 letters, digits, '-' or '_'");
    }

    private MvcTestResult ask() {
        return http.post()
                .uri("/conversations/42/messages")
                .accept(MediaType.TEXT_EVENT_STREAM)
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"text\": \"Hello\"}")
                .exchange();
    }
}
