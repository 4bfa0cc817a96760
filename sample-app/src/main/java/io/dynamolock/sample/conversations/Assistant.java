package io.dynamolock.sample.conversations;

import reactor.core.publisher.Flux;

/** Whoever answers: in a real service, a client of a language model. */
interface Assistant {

    /**
     * The answer, in pieces, as the assistant makes it. The subscription is the request, which costs money; its
     * cancellation ends the answer.
     *
     * @param said what was said in this conversation before
     */
    Flux<String> answer(Transcript said, String message);
}
