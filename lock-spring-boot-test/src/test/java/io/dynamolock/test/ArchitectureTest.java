package io.dynamolock.test;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.dynamolock.architecture.CommonRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses TEST_SUPPORT = CommonRules.mainCode("io.dynamolock.test");

    @Test
    void packagesHaveNoCycles() {
        CommonRules.noPackageCycles().check(TEST_SUPPORT);
    }

    @Test
    void nobodySleeps() {
        CommonRules.nobodySleeps().check(TEST_SUPPORT);
    }

    @Test
    void nobodyUsesTheOldTimeClasses() {
        CommonRules.nobodyUsesTheOldTimeClasses().check(TEST_SUPPORT);
    }
}
