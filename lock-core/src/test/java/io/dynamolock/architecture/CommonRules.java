package io.dynamolock.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Date;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Rules that hold in every module. */
public final class CommonRules {

    private CommonRules() {}

    /** The main code of a module: the classes compiled beside the tests that ask, in these packages. */
    public static JavaClasses mainCode(String... packages) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
                .importPackages(packages);
    }

    /** Only these classes may ask what time it is. */
    public static ArchRule nobodyReadsAClockBut(String... classNames) {
        return noClasses()
                .that(describe(
                        "are not the time source", type -> !Set.of(classNames).contains(outermost(type))))
                .should()
                .accessTargetWhere(describe("it reads a clock", access -> readsAClock(access.getTarget())))
                .because("time is injected, so that tests and the simulator can move it");
    }

    public static ArchRule nobodySleeps() {
        return noClasses()
                .should()
                .accessTargetWhere(targets("it sleeps", Thread.class, "sleep"))
                .orShould()
                .accessTargetWhere(targets("it sleeps", TimeUnit.class, "sleep"))
                .because("whoever waits, waits for a condition or for a timer of the event loop");
    }

    public static ArchRule nobodyUsesTheOldTimeClasses() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Date.class, Calendar.class, Timer.class)
                .because("java.time and the event loop replace them");
    }

    /** Two packages, subpackages included as packages of their own, never need each other. */
    public static ArchRule noPackageCycles() {
        return noCyclesOf("packages", JavaClass::getPackageName);
    }

    /** As {@link #noPackageCycles()}, with these packages taken for one: what users call, and what stands behind it. */
    public static ArchRule noPackageCycles(String... asOne) {
        return noCyclesOf(
                "packages", type -> Set.of(asOne).contains(type.getPackageName()) ? asOne[0] : type.getPackageName());
    }

    /** Two classes, with what is nested in them, never need each other. */
    public static ArchRule noClassCycles() {
        return noCyclesOf("classes", CommonRules::outermost);
    }

    private static ArchRule noCyclesOf(String things, Function<JavaClass, String> part) {
        return SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return SliceIdentifier.of(part.apply(type));
                    }

                    @Override
                    public String getDescription() {
                        return things;
                    }
                })
                .should()
                .beFreeOfCycles();
    }

    private static boolean readsAClock(AccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        if (owner.isEquivalentTo(System.class)) {
            return name.equals("nanoTime") || name.equals("currentTimeMillis");
        }
        if (owner.isEquivalentTo(Clock.class) || owner.isEquivalentTo(InstantSource.class)) {
            return name.startsWith("system") || name.startsWith("tick");
        }
        return owner.getPackageName().startsWith("java.time") && name.equals("now");
    }

    private static DescribedPredicate<JavaAccess<?>> targets(String description, Class<?> owner, String name) {
        return describe(
                description,
                access -> access.getTarget().getOwner().isEquivalentTo(owner)
                        && access.getTarget().getName().equals(name));
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(CommonRules::outermost).orElseGet(type::getName);
    }
}
