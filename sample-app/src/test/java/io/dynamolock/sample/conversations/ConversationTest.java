package io.dynamolock.sample.conversations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockRegistry;
import io.dynamolock.sample.Requests;
import io.dynamolock.sample.WholeApplication;
import io.dynamolock.sample.conversations.Transcript.Turn;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** Conversations in the whole application, with the stub that repeats what it was told. */
@WholeApplication
class ConversationTest {

    @Autowired
    private MockMvcTester http;

    @Autowired
    private LockRegistry locks;

    @Test
    void messagesThatAreSentAtOnceAreAnsweredOneAfterAnother() {
        List<CompletableFuture<MvcTestResult>> answers =
                List.of(say("tina", "one"), say("tina", "two"), say("tina", "three"));

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join()).bodyText().contains("data:whole"));
        assertThat(turns("tina"))
                .as("each answer knew all turns before it")
                .extracting(Turn::answer)
                .satisfiesExactly(
                        answer -> assertThat(answer).startsWith("Message 1 was: "),
                        answer -> assertThat(answer).startsWith("Message 2 was: "),
                        answer -> assertThat(answer).startsWith("Message 3 was: "));
    }

    @Test
    void aStopEndsTheAnswerAndTheNextMessageIsAnswered() {
        CompletableFuture<MvcTestResult> answer = say("uwe", "word ".repeat(390));
        await().atMost(Duration.ofMinutes(1)).until(() -> isHeld("conversation:uwe"));

        assertThat(http.delete().uri("/conversations/uwe/answer")).hasStatus(HttpStatus.NO_CONTENT);

        assertThat(answer.join()).bodyText().contains("data:stopped").doesNotContain("data:whole");
        assertThat(say("uwe", "on").join()).bodyText().contains("data:whole");
        assertThat(turns("uwe")).containsExactly(new Turn("on", "Message 1 was: on"));
    }

    @Test
    void aClientThatDisconnectsFreesItsConversation(@LocalServerPort int port) throws IOException {
        String message = "{\"text\": \"%s\"}".formatted("w ".repeat(990));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(String.join(
                                    "\r\n",
                                    "POST /conversations/vera/messages HTTP/1.1",
                                    "Host: localhost",
                                    "Content-Type: application/json",
                                    "Content-Length: " + message.length(),
                                    "",
                                    message)
                            .getBytes(StandardCharsets.US_ASCII));
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(answer.lines().anyMatch("event:word"::equals)).isTrue();
        }

        await().atMost(Duration.ofMinutes(1)).until(() -> !isHeld("conversation:vera"));
        assertThat(turns("vera")).as("the answer was not ended").isEmpty();
    }

    private boolean isHeld(String key) {
        return locks.admin().held().stream().anyMatch(held -> held.key().equals(key));
    }

    private CompletableFuture<MvcTestResult> say(String conversation, String text) {
        return CompletableFuture.supplyAsync(() -> Requests.post(
                http, "/conversations/" + conversation + "/messages", "{\"text\": \"%s\"}".formatted(text)));
    }

    private List<Turn> turns(String conversation) {
        return assertThat(http.get().uri("/conversations/{id}", conversation))
                .bodyJson()
                .convertTo(Transcript.class)
                .actual()
                .turns();
    }
}
