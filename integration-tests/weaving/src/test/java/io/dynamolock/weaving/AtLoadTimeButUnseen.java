package io.dynamolock.weaving;

/** The weaver looks at these, and finds nothing to weave. */
final class AtLoadTimeButUnseen {

    private AtLoadTimeButUnseen() {}

    static class ByInterface implements NotWoven.Shop {

        @Override
        public void run() {}
    }

    static class TwiceRemoved {

        @NotWoven.LockedTwiceRemoved
        public void run() {}
    }
}
