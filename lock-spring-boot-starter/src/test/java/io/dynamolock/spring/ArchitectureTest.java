package io.dynamolock.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.dynamolock.architecture.CommonRules;
import org.junit.jupiter.api.Test;

/** The Spring module uses the core as any user does, and needs no Spring Boot. */
class ArchitectureTest {

    private static final JavaClasses SPRING = CommonRules.mainCode("io.dynamolock.spring");

    @Test
    void nothingKnowsSpringBoot() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.boot..")
                .because("it is for applications without Spring Boot, too")
                .check(SPRING);
    }

    @Test
    void onlyWhatUsersOfTheCoreSeeIsUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.dynamolock.internal.engine..", "io.dynamolock.internal.store..", "software.amazon..")
                .check(SPRING);
    }

    @Test
    void onlyTheMetricsAndObservationsKnowMicrometer() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.dynamolock.spring.metrics..", "io.dynamolock.spring.observation..")
                .and()
                .doNotHaveSimpleName("Snapshots")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .because("it is optional")
                .check(SPRING);
    }

    @Test
    void onlyItsAdaptersKnowSpringIntegrationAndShedLock() {
        onlyIn("io.dynamolock.spring.integration..", "org.springframework.integration..");
        onlyIn("io.dynamolock.spring.shedlock..", "net.javacrumbs.shedlock..");
    }

    private static void onlyIn(String adapter, String library) {
        noClasses()
                .that()
                .resideOutsideOfPackage(adapter)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .because("it is optional")
                .check(SPRING);
    }

    @Test
    void packagesHaveNoCycles() {
        CommonRules.noPackageCycles().check(SPRING);
    }

    @Test
    void nobodyReadsAClock() {
        CommonRules.nobodyReadsAClockBut().check(SPRING);
    }

    @Test
    void nobodySleeps() {
        CommonRules.nobodySleeps().check(SPRING);
    }

    @Test
    void nobodyUsesTheOldTimeClasses() {
        CommonRules.nobodyUsesTheOldTimeClasses().check(SPRING);
    }
}
