package io.dynamolock.sample.conversations;

import java.util.List;
import java.util.stream.Stream;

/**
 * What was said in a conversation.
 *
 * @param turns the messages with their whole answers, the first one first
 */
record Transcript(String conversation, List<Turn> turns) {

    Transcript {
        turns = List.copyOf(turns);
    }

    /** A message and its answer. */
    record Turn(String message, String answer) {}

    Transcript with(String message, CharSequence answer) {
        Turn turn = new Turn(message, answer.toString());
        return new Transcript(
                conversation, Stream.concat(turns.stream(), Stream.of(turn)).toList());
    }
}
