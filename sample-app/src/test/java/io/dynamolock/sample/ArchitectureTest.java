package io.dynamolock.sample;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.dynamolock.architecture.CommonRules;
import org.junit.jupiter.api.Test;

/** The sample uses nothing that its readers could not use. */
class ArchitectureTest {

    private static final JavaClasses SAMPLE = CommonRules.mainCode("io.dynamolock.sample");

    @Test
    void theSampleUsesOnlyWhatUsersSee() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.dynamolock.internal..",
                        "io.dynamolock.spring.autoconfigure..",
                        "io.dynamolock.spring.metrics..",
                        "io.dynamolock.test.embedded..")
                .check(SAMPLE);
    }

    @Test
    void packagesHaveNoCycles() {
        CommonRules.noPackageCycles().check(SAMPLE);
    }

    @Test
    void nobodyButTheApplicationReadsAClock() {
        CommonRules.nobodyReadsAClockBut("io.dynamolock.sample.SampleApplication")
                .check(SAMPLE);
    }

    @Test
    void nobodyUsesTheOldTimeClasses() {
        CommonRules.nobodyUsesTheOldTimeClasses().check(SAMPLE);
    }
}
