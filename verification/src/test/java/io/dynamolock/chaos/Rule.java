package io.dynamolock.chaos;

/** One promise, checked against everything that was observed. */
interface Rule {

    void check(Observed observed, Violations violations);
}
