package io.dynamolock.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of locks, and their keys. */
public enum LockObservationDocumentation implements ObservationDocumentation {

    /** A caller waits for a lock; also for one that it gets at once. */
    WAIT,

    /** A caller holds a lock. */
    HOLD;

    @Override
    public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
        return DefaultDynamoLockObservationConvention.class;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return LowCardinality.values();
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
        return HighCardinality.values();
    }

    /** Keys of few values, fit for metrics. */
    public enum LowCardinality implements KeyName {

        /** What is observed: {@code wait} or {@code hold}. */
        PHASE("phase"),

        /** The name of the lock, of the annotation or the request. */
        NAME("name"),

        /** The lock's namespace. */
        NAMESPACE("namespace"),

        /** How the lock is wanted: {@code exclusive} or {@code shared}. */
        MODE("mode"),

        /**
         * How it ended: a wait {@code acquired}, {@code timeout} or {@code abandoned}, a hold {@code released} or {@code lost};
         * {@code none} before that.
         */
        OUTCOME("outcome");

        private final String text;

        LowCardinality(String text) {
            this.text = text;
        }

        @Override
        public String asString() {
            return text;
        }
    }

    /** Keys of many values, for spans only. */
    public enum HighCardinality implements KeyName {

        /** Of a wait: how many were ahead when the caller entered the queue; 0 if it was not queued. */
        QUEUE_POSITION("queue.position"),

        /** The fencing token of the grant. */
        FENCING_TOKEN("fencing.token"),

        /** What is locked; only if keys are to be shown. */
        KEY("lock.key");

        private final String text;

        HighCardinality(String text) {
            this.text = text;
        }

        @Override
        public String asString() {
            return text;
        }
    }
}
