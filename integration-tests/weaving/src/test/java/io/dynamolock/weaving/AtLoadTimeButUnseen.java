package io.dynamolock.weaving;

/** Methods that the weaver looks at and does not weave, because they have no annotation. */
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
