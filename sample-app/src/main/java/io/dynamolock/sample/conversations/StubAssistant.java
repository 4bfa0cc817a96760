package io.dynamolock.sample.conversations;

import io.dynamolock.sample.SampleProperties;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/** Repeats what it was told, word by word. */
@Component
class StubAssistant implements Assistant {

    private final SampleProperties properties;

    StubAssistant(SampleProperties properties) {
        this.properties = properties;
    }

    @Override
    public Flux<String> answer(Transcript said, String message) {
        String answer = "Message %d was: %s".formatted(said.turns().size() + 1, message);
        // Each word keeps the space behind it: the words are the answer, and an event must not begin with a space.
        return Flux.fromArray(answer.split("(?<= )")).delayElements(properties.thinkTime());
    }
}
