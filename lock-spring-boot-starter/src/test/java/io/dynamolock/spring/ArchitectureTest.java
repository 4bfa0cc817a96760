package io.dynamolock.spring;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.dynamolock.architecture.CommonRules;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import org.junit.jupiter.api.Test;

/** The starter uses the core as any user does. */
class ArchitectureTest {

    /** Without those of lock-spring, which has rules of its own, and whose classes may lie beside these or in a jar. */
    private static final JavaClasses STARTER =
            CommonRules.mainCode("io.dynamolock.spring.autoconfigure", "io.dynamolock.spring.actuate");

    @Test
    void theStarterUsesOnlyWhatUsersOfTheCoreSee() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.dynamolock.internal.engine..", "io.dynamolock.internal.store..")
                                .and(describe(
                                        "are not the public in-memory store",
                                        (JavaClass type) -> !type.isEquivalentTo(InMemoryLockStore.class))))
                .check(STARTER);
    }

    @Test
    void onlyTheAutoConfigurationsOfMetricsAndObservationsKnowMicrometer() {
        noClasses()
                .that()
                .doNotHaveSimpleName("DynamoLockMetricsAutoConfiguration")
                .and()
                .doNotHaveSimpleName("DynamoLockObservationAutoConfiguration")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .because("it is optional")
                .check(STARTER);
    }

    @Test
    void onlyTheirAutoConfigurationsKnowSpringIntegrationAndShedLock() {
        noClasses()
                .that()
                .doNotHaveSimpleName("DynamoLockIntegrationAutoConfiguration")
                .and()
                .doNotHaveSimpleName("DynamoLockShedLockAutoConfiguration")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework.integration..",
                        "net.javacrumbs.shedlock..",
                        "io.dynamolock.spring.integration..",
                        "io.dynamolock.spring.shedlock..")
                .because("they are optional")
                .check(STARTER);
    }

    @Test
    void packagesHaveNoCycles() {
        CommonRules.noPackageCycles().check(STARTER);
    }

    @Test
    void nobodyReadsAClock() {
        CommonRules.nobodyReadsAClockBut(
                        "io.dynamolock.spring.actuate.DynamoLockEndpointAutoConfiguration",
                        "io.dynamolock.spring.actuate.DynamoLockHealthAutoConfiguration")
                .check(STARTER);
    }

    @Test
    void nobodySleeps() {
        CommonRules.nobodySleeps().check(STARTER);
    }

    @Test
    void nobodyUsesTheOldTimeClasses() {
        CommonRules.nobodyUsesTheOldTimeClasses().check(STARTER);
    }
}
