package io.dynamolock.spring;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.dynamolock.architecture.CommonRules;
import io.dynamolock.internal.Internals;
import io.dynamolock.internal.admin.LockHealth;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.handles.DescribedHandle;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.registry.AdoptableLock;
import io.dynamolock.internal.registry.DefaultLockRegistry;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.RegistryThread;
import io.dynamolock.internal.time.Durations;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The starter uses the core as any user does, except for a few internal types, and only its auto-configuration needs
 * Spring Boot.
 */
class ArchitectureTest {

    private static final String AUTO_CONFIGURATION = "io.dynamolock.spring.autoconfigure..";
    private static final String ACTUATOR = "io.dynamolock.spring.actuate..";

    /** What a locked call passes, from the user inwards, as CONTRIBUTING.md lists it. */
    private static final List<String> INWARDS = List.of(
            "autoconfigure..",
            "aspect",
            "woven",
            "internal.woven",
            "internal.validation",
            "internal.retries",
            "internal.calls",
            "internal.persistence",
            "internal.transactions",
            "internal.holds",
            "internal.declarations",
            "internal.keys",
            "annotation",
            "internal");

    /** {@code LockHandle.fence()} returns a type of the AWS SDK. */
    private static final String HANDLE = "io.dynamolock.spring.unlocked.UnlockedHandle";

    /** The only internal types of the core that the starter uses. */
    private static final List<Class<?>> OF_CORE = List.of(
            // To show locks as the core does.
            Internals.class,
            DescribedHandle.class,
            // To build a registry in memory, to add listeners and an observer to one, and to hand its locks to a
            // thread.
            RegistryBuilder.class,
            InMemoryLockStore.class,
            DefaultLockRegistry.class,
            AdoptableLock.class,
            // To release a lock at the end of a call.
            GrantHandle.class,
            // To keep waits off the threads of a registry.
            RegistryThread.class,
            // To tell of the health of locks.
            LockHealth.class,
            LockHealth.Verdict.class,
            LockHealth.Status.class,
            // Helpers.
            SafeFailure.class,
            SafeText.class,
            Durations.class);

    private static final JavaClasses STARTER = CommonRules.mainCode("io.dynamolock.spring");

    @Test
    void onlyTheAutoConfigurationKnowsSpringBoot() {
        noClasses()
                .that()
                .resideOutsideOfPackages(AUTO_CONFIGURATION, ACTUATOR)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.boot..", AUTO_CONFIGURATION)
                .because("the rest is for applications without Spring Boot, too")
                .check(STARTER);
    }

    @Test
    void onlyTheAutoConfigurationKnowsAStoreOrTheAwsSdk() {
        noClasses()
                .that()
                .resideOutsideOfPackages(AUTO_CONFIGURATION, ACTUATOR)
                .and()
                .doNotHaveFullyQualifiedName(HANDLE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("software.amazon..", "io.dynamolock.internal.store..")
                .check(STARTER);
    }

    @Test
    void ofTheCoresInternalsTheStarterUsesOnlyAFewTypes() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.dynamolock.internal..")
                        .and(describe(
                                "are not meant for the starter",
                                (JavaClass type) -> OF_CORE.stream().noneMatch(type::isEquivalentTo))))
                .check(STARTER);
    }

    @Test
    void onlyTheMetricsAndObservationsKnowMicrometer() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.dynamolock.spring.metrics..", "io.dynamolock.spring.observation..")
                .and()
                .doNotHaveSimpleName("Snapshots")
                .and()
                .doNotHaveSimpleName("EarlierReadsCounter")
                .and()
                .haveNameNotMatching(".*\\.DynamoLockMicrometerAutoConfiguration.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .because("it is optional")
                .check(STARTER);
    }

    @Test
    void onlyTheirAdaptersKnowSpringIntegrationAndShedLock() {
        onlyIn("io.dynamolock.spring.integration..", "ForSpringIntegration6?", "org.springframework.integration..");
        onlyIn("io.dynamolock.spring.shedlock..", "ForShedLock", "net.javacrumbs.shedlock..");
    }

    @Test
    void onlyOneClassKnowsHibernateAndJpa() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.dynamolock.spring.internal.persistence.HibernateContexts")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.hibernate..", "jakarta.persistence..", "org.springframework.orm..")
                .because("they are optional")
                .check(STARTER);
    }

    private static void onlyIn(String adapter, String autoConfiguration, String library) {
        noClasses()
                .that()
                .resideOutsideOfPackage(adapter)
                .and()
                .haveNameNotMatching(".*\\$" + autoConfiguration)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(adapter, library)
                .because("it is optional")
                .check(STARTER);
    }

    @Test
    void aPackageUsesOnlyPackagesFurtherIn() {
        for (int i = 1; i < INWARDS.size(); i++) {
            String[] furtherOut = INWARDS.subList(0, i).stream()
                    .map(ArchitectureTest::inStarter)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(inStarter(INWARDS.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(furtherOut)
                    .check(STARTER);
        }
    }

    private static String inStarter(String name) {
        return "io.dynamolock.spring." + name;
    }

    @Test
    void packagesHaveNoCycles() {
        CommonRules.noPackageCycles().check(STARTER);
    }

    @Test
    void nobodyReadsAClock() {
        CommonRules.nobodyReadsAClockBut("io.dynamolock.spring.unlocked.AlwaysGrantingRegistry")
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
