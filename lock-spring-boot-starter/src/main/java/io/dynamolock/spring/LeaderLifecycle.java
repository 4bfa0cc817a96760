package io.dynamolock.spring;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import org.springframework.context.Lifecycle;

/** Runs a bean for as long as this instance leads. */
record LeaderLifecycle(Lifecycle bean) implements LeaderListener {

    @Override
    public void granted(Leadership leadership) {
        bean.start();
    }

    @Override
    public void revoked(Leadership leadership) {
        stop();
    }

    @Override
    public void resigned(Leadership leadership) {
        stop();
    }

    private void stop() {
        if (bean.isRunning()) {
            bean.stop();
        }
    }
}
