package io.dynamolock.chaos;

import java.util.List;

/** One promise, checked against everything that was observed. */
interface Rule {

    List<Violation> check(Observed observed);
}
