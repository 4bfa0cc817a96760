package io.dynamolock.internal.handles;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.ReleaseTerms;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestsTest {

    private static final LockRequest REQUEST = LockRequest.of("k");

    @Test
    void turnsAbsurdlyLongHoldsIntoWhatNoTimerOverflowsOn() {
        Duration absurd = Duration.ofSeconds(Long.MAX_VALUE);

        AcquireSpec spec =
                Requests.spec(REQUEST.waitTime(absurd).maxHold(absurd).holdAtLeast(absurd), Duration.ZERO);

        assertThat(spec.waitLimit()).isEqualTo(absurd);
        assertThat(spec.maxHold()).isNull();
        assertThat(spec.holdAtLeast()).isEqualTo(Duration.ofDays(36_500));
    }

    @Test
    void tellsTheEngineInWhichWayTheLockIsWanted() {
        assertThat(kindOf(REQUEST)).isEqualTo(Kind.EXCLUSIVE);
        assertThat(kindOf(REQUEST.mode(LockMode.SHARED))).isEqualTo(Kind.READ);
        assertThat(kindOf(REQUEST.downgradable())).isEqualTo(Kind.WRITE);
        assertThat(kindOf(REQUEST.permits(3))).isEqualTo(Kind.PERMIT);
        assertThat(Requests.spec(REQUEST.permits(3), Duration.ZERO).permits()).isEqualTo(3);
    }

    @Test
    void aCallerThatReleasesByItselfAwaitsThatWhateverTheRequestSays() {
        LockRequest unawaited = REQUEST.awaitRelease(false).stay(Duration.ofMillis(50));
        assertThat(Requests.spec(unawaited, Duration.ZERO).release()).isEqualTo(ReleaseTerms.AWAITED);
    }

    private static Kind kindOf(LockRequest request) {
        return Requests.spec(request, Duration.ZERO).kind();
    }

    @Test
    void tellsTheEngineThatTheLockMustExist() {
        assertThat(Requests.spec(REQUEST.onlyIfExists(), Duration.ZERO).onlyIfExists())
                .isTrue();
        assertThat(Requests.spec(REQUEST, Duration.ZERO).onlyIfExists()).isFalse();
    }

    @Test
    void foreverMeansTheSameToUsersAndToTheEngine() {
        assertThat(LockRequest.FOREVER).isEqualTo(AcquireSpec.FOREVER);
        assertThat(Requests.spec(REQUEST.waitForever(), Duration.ZERO).waitsForever())
                .isTrue();
    }
}
