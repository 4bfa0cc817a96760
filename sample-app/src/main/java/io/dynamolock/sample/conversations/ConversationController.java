package io.dynamolock.sample.conversations;

import io.dynamolock.LockException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockTimeoutException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer is a stream of events: its words, then one that says whether the answer is whole. */
@RestController
@RequestMapping("/conversations/{id}")
class ConversationController {

    private static final Logger log = LoggerFactory.getLogger(ConversationController.class);
    private static final String ID = "[A-Za-z0-9_-]{1,64}";
    private static final String ID_TEXT = "must be 1 to 64 letters, digits, '-' or '_'";

    private final Conversations conversations;
    private final Transcripts transcripts;

    ConversationController(Conversations conversations, Transcripts transcripts) {
        this.conversations = conversations;
        this.transcripts = transcripts;
    }

    record Message(@NotBlank @Size(max = 2_000) String text) {}

    @PostMapping(
            path = "/messages",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<String>> answer(
            @PathVariable @Pattern(regexp = ID, message = ID_TEXT) String id, @RequestBody @Valid Message message) {
        return conversations
                .answer(id, message.text())
                .map(word -> event("word", word))
                .concatWithValues(event("end", "whole"))
                .onErrorResume(ConversationController::isTakenAway, lost -> {
                    log.info("An answer ended early", lost);
                    return Flux.just(event("end", "stopped"));
                });
    }

    /** Stops the answer that is under way, whichever instance gives it. */
    @DeleteMapping("/answer")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> stop(@PathVariable @Pattern(regexp = ID, message = ID_TEXT) String id) {
        return conversations.stop(id);
    }

    @GetMapping
    Transcript transcript(@PathVariable @Pattern(regexp = ID, message = ID_TEXT) String id) {
        return transcripts.look(id);
    }

    @ExceptionHandler(LockTimeoutException.class)
    ProblemDetail underWay() {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.CONFLICT, "An answer is under way. Wait for it, or stop it.");
    }

    /** The exception's message names the conversation and the process, so it is for the log only. */
    @ExceptionHandler(LockException.class)
    ProblemDetail notLocked(LockException failure) {
        log.warn("A message could not be answered", failure);
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE, "The message was not answered, and is not in the transcript.");
    }

    /** By a stop, a longest hold, or because this instance was frozen or cut off. */
    private static boolean isTakenAway(Throwable failure) {
        return failure instanceof LockLostException || failure instanceof LateTurnException;
    }

    private static ServerSentEvent<String> event(String name, String data) {
        return ServerSentEvent.builder(data).event(name).build();
    }
}
