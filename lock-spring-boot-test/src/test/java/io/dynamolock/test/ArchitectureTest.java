package io.dynamolock.test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.dynamolock.architecture.CommonRules;
import io.dynamolock.internal.testbed.LockTestbed;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses TEST_SUPPORT = CommonRules.mainCode("io.dynamolock.test");

    @Test
    void theTestbedIsTheOnlyInternalTypeOfTheCoreInUse() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.dynamolock.internal..").and(not(equivalentTo(LockTestbed.class))))
                .because("the core may change behind that one class")
                .check(TEST_SUPPORT);
    }

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
