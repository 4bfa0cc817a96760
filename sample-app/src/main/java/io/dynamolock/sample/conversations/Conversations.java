package io.dynamolock.sample.conversations;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Answers the messages of conversations: one at a time in each, over all instances. */
@Service
class Conversations {

    private final Assistant assistant;
    private final Transcripts transcripts;
    private final LockRegistry locks;

    Conversations(Assistant assistant, Transcripts transcripts, LockRegistry locks) {
        this.assistant = assistant;
        this.transcripts = transcripts;
        this.locks = locks;
    }

    @DynamoLocked(key = "'conversation:' + #id", waitTime = "10s", maxHold = "5m")
    public Flux<String> answer(String id, String message) {
        return Flux.deferContextual(context -> {
            long token = CurrentLock.of(context).handle().fencingToken();
            StringBuilder answer = new StringBuilder();
            // Leaves the token in the transcript: from now on, no earlier turn can write.
            return transcripts
                    .read(id, token)
                    .flatMapMany(said -> assistant
                            .answer(said, message)
                            .doOnNext(answer::append)
                            .concatWith(Mono.defer(() -> transcripts.write(said.with(message, answer), token))
                                    .then(Mono.empty())));
        });
    }

    /** Any instance can be asked. An eviction may take seconds, so no thread of the caller waits for it. */
    public Mono<Void> stop(String id) {
        String key = "conversation:" + id;
        return Mono.<Void>fromRunnable(() -> locks.admin()
                        .inspect(key)
                        .holder()
                        .ifPresent(turn -> locks.admin().evict(key, LockRequest.DEFAULT_NAMESPACE, turn.id())))
                .subscribeOn(Schedulers.boundedElastic());
    }
}
