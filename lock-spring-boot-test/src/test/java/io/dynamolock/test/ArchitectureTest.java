package io.dynamolock.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.dynamolock.architecture.CommonRules;
import org.junit.jupiter.api.Test;

/** What tests of applications get uses the core as any user does. */
class ArchitectureTest {

    private static final JavaClasses MODULE = CommonRules.mainCode("io.dynamolock.test");

    @Test
    void onlyTheServerKnowsDynamoDbLocal() {
        noClasses()
                .that()
                .doNotHaveSimpleName("LoopbackServer")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("software.amazon.dynamodb..", "org.eclipse.jetty..")
                .because("without it the others must be able to say what is missing")
                .check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        CommonRules.noPackageCycles().check(MODULE);
    }

    @Test
    void nobodyReadsAClock() {
        CommonRules.nobodyReadsAClockBut().check(MODULE);
    }

    @Test
    void nobodySleeps() {
        CommonRules.nobodySleeps().check(MODULE);
    }

    @Test
    void nobodyUsesTheOldTimeClasses() {
        CommonRules.nobodyUsesTheOldTimeClasses().check(MODULE);
    }
}
