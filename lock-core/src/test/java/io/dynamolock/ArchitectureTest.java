package io.dynamolock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMembers;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.dynamolock.architecture.CommonRules;
import io.dynamolock.architecture.LogCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of the core, and what may not happen in them. */
class ArchitectureTest {

    private static final String USER_API = "io.dynamolock";
    private static final String FACTORY = "io.dynamolock.internal.Internals";
    private static final String DATA = "io.dynamolock.data";
    private static final String PROTOCOL = "io.dynamolock.internal.protocol..";
    private static final String TEXT = "io.dynamolock.internal.text";
    private static final String LOOP = "io.dynamolock.internal.loop";
    private static final String TIME = "io.dynamolock.internal.time";
    private static final String COLLECTION = "io.dynamolock.internal.collection";
    private static final String ENGINE = "io.dynamolock.internal.engine..";
    private static final String STORE_PORT = "io.dynamolock.internal.store";
    private static final String STORES = "io.dynamolock.internal.store..";
    private static final String MEMORY_STORE = "io.dynamolock.internal.store.memory..";
    private static final String TESTBED = "io.dynamolock.internal.testbed";
    private static final String DYNAMODB_STORE = "io.dynamolock.internal.store.dynamodb..";
    private static final String LOCKING_READS = "io.dynamolock.lockingread..";
    private static final String AWS = "software.amazon..";

    /** The packages behind the factory, from the user inwards: each knows only those after it. */
    private static final List<String> INNER_PACKAGES = List.of(
            TESTBED,
            "io.dynamolock.internal.builder",
            "io.dynamolock.internal.admin",
            "io.dynamolock.internal.registry",
            "io.dynamolock.internal.elections",
            "io.dynamolock.internal.handles",
            "io.dynamolock.internal.fences",
            "io.dynamolock.internal.process",
            "io.dynamolock.internal.threads",
            ENGINE,
            STORES,
            TEXT,
            PROTOCOL,
            LOOP,
            TIME,
            COLLECTION);

    /** What users need to check a lock in a transaction of their own. */
    private static final String[] FENCES = {
        "io.dynamolock.LockHandle",
        "io.dynamolock.FencedWrites",
        "io.dynamolock.internal.handles.GrantHandle",
        "io.dynamolock.internal.fences.Fences",
        "io.dynamolock.internal.fences.FencedCalls",
        "io.dynamolock.internal.fences.FencedTransaction"
    };

    private static final Path MAIN = Path.of("src/main/java/io/dynamolock");

    private static final JavaClasses CORE = CommonRules.mainCode("io.dynamolock");

    @Test
    void theProtocolIsValuesAndFunctionsAndKnowsNoOtherPackage() {
        classes()
                .that()
                .resideInAPackage(PROTOCOL)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        PROTOCOL,
                        DATA,
                        TIME,
                        "java.lang",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.nio.charset",
                        "java.time",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "org.jspecify.."))
                .because("they have no clock, no thread and no call")
                .check(CORE);
        keepApart(
                resideInAPackage(PROTOCOL),
                belongToAnyOf(Thread.class, ThreadLocal.class, Clock.class, InstantSource.class));
    }

    @Test
    void theStoresKnowOnlyTheProtocol() {
        keepApart(
                resideInAPackage(STORES), oursBut(resideInAnyPackage(STORES, PROTOCOL, DATA, TEXT, TIME, COLLECTION)));
    }

    @Test
    void theEngineKnowsOnlyTheProtocolAndThePortOfTheStores() {
        keepApart(
                resideInAPackage(ENGINE),
                oursBut(resideInAnyPackage(ENGINE, PROTOCOL, TEXT, LOOP, TIME, COLLECTION, DATA, STORE_PORT)));
    }

    @Test
    void thePortKnowsNoStoreBehindIt() {
        keepApart(resideInAPackage(STORE_PORT), resideInAnyPackage(MEMORY_STORE, DYNAMODB_STORE));
    }

    @Test
    void onlyClassesThatConfigureTheDynamoDbStoreKnowIt() {
        DescribedPredicate<JavaClass> configureIt = named(
                "io.dynamolock.internal.builder.RegistryBuilder",
                "io.dynamolock.internal.fences.Fences",
                "io.dynamolock.internal.fences.FencedCalls",
                "io.dynamolock.internal.builder.TableOptions",
                "io.dynamolock.internal.admin.DynamoLockTable");
        keepApart(not(resideInAPackage(DYNAMODB_STORE).or(configureIt)), resideInAPackage(DYNAMODB_STORE));
    }

    /** It is there for users' own tests. */
    @Test
    void onlyTheTestbedNeedsTheMemoryStore() {
        keepApart(not(resideInAnyPackage(MEMORY_STORE, TESTBED)), resideInAPackage(MEMORY_STORE));
    }

    /** It is there for the module of tests. */
    @Test
    void nobodyNeedsTheTestbed() {
        keepApart(resideOutsideOfPackage(TESTBED), resideInAPackage(TESTBED));
    }

    /** Their lock lives on the user's item, and needs no engine and no store. */
    @Test
    void lockingReadsAndTheEngineDoNotKnowEachOther() {
        DescribedPredicate<JavaClass> shared = named(
                "io.dynamolock.internal.builder.DaxClients",
                "io.dynamolock.internal.threads.Futures",
                "io.dynamolock.internal.text.ThisProcess",
                "io.dynamolock.internal.text.SafeFailure",
                "io.dynamolock.internal.text.SafeText",
                "io.dynamolock.internal.text.PersonalText",
                "io.dynamolock.internal.protocol.Clocks");
        keepApart(
                resideInAPackage(LOCKING_READS),
                oursBut(resideInAnyPackage(LOCKING_READS, TIME, COLLECTION).or(shared)));
        keepApart(resideOutsideOfPackage(LOCKING_READS), resideInAPackage(LOCKING_READS));
    }

    /** An application that uses none need not have it. */
    @Test
    void onlyLockingReadsNeedTheEnhancedClient() {
        keepApart(resideOutsideOfPackage(LOCKING_READS), resideInAPackage("software.amazon.awssdk.enhanced.."));
    }

    @Test
    void awsTypesStayInTheDynamoDbStoreInLockingReadsAndWhereUsersHandThemIn() {
        DescribedPredicate<JavaClass> users = named(
                "io.dynamolock.LockRegistry",
                FACTORY,
                "io.dynamolock.internal.builder.RegistryBuilder",
                "io.dynamolock.internal.admin.DynamoLockTable");
        keepApart(
                not(resideInAnyPackage(DYNAMODB_STORE, LOCKING_READS).or(users).or(named(FENCES))),
                resideInAPackage(AWS));
    }

    private static void keepApart(DescribedPredicate<JavaClass> these, DescribedPredicate<JavaClass> those) {
        noClasses().that(these).should().dependOnClassesThat(those).check(CORE);
    }

    @Test
    void theCoreNeedsNothingButTheSdkSlf4jAndJSpecify() {
        classes()
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "io.dynamolock..", AWS, "org.slf4j..", "org.jspecify.."))
                .because("Spring, Micrometer and the rest belong in the starter")
                .check(CORE);
    }

    @Test
    void packagesHaveNoCycles() {
        CommonRules.noPackageCycles()
                .check(CORE.that(describe(
                                "are not the factory", type -> !type.getName().equals(FACTORY)))
                        .as("all but the factory, by which users' calls come in"));
    }

    @Test
    void eachRoomKnowsOnlyRoomsFurtherInside() {
        for (int i = 1; i < INNER_PACKAGES.size(); i++) {
            keepApart(
                    resideInAPackage(INNER_PACKAGES.get(i)),
                    resideInAnyPackage(INNER_PACKAGES.subList(0, i).toArray(String[]::new)));
        }
        keepApart(resideInAnyPackage(INNER_PACKAGES.toArray(String[]::new)), named(FACTORY));
    }

    @Test
    void everyClassBehindTheFactoryIsInARoom() {
        classes()
                .that()
                .resideInAPackage("io.dynamolock.internal..")
                .and(not(named(FACTORY, "io.dynamolock.internal.package-info")))
                .should()
                .resideInAnyPackage(INNER_PACKAGES.toArray(String[]::new))
                .check(CORE);
    }

    @Test
    void whatUsersCallKnowsTheFactoryAndNothingElseInside() throws IOException {
        keepApart(
                resideInAnyPackage(USER_API, DATA),
                resideInAPackage("io.dynamolock.internal..").and(not(named(FACTORY))));
        // The sources tell of constants, too, which leave no trace in a compiled class.
        Pattern internal = Pattern.compile("io\\.dynamolock\\.internal(?:\\.\\w+)+");
        Set<String> known = new HashSet<>();
        for (Path folder : List.of(MAIN, MAIN.resolve("data"))) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path source :
                        files.filter(file -> file.toString().endsWith(".java")).toList()) {
                    internal.matcher(Files.readString(source)).results().forEach(name -> known.add(name.group()));
                }
            }
        }
        assertThat(known).containsExactly(FACTORY);
    }

    @Test
    void noTwoClassesOfAPackageNeedEachOther() {
        INNER_PACKAGES.forEach(inner -> CommonRules.noClassCycles()
                .check(CORE.that(resideInAPackage(inner)).as("the package " + inner)));
    }

    @Test
    void whatUsersCallIsPublicAndLiesInPackagesOfItsOwn() {
        classes()
                .that()
                .resideInAnyPackage(USER_API, DATA)
                .and()
                .areTopLevelClasses()
                .and()
                .doNotHaveSimpleName("package-info")
                .should()
                .bePublic()
                .check(CORE);
    }

    @Test
    void whatUsersCallShowsNothingThatIsInternal() {
        noMembers()
                .that()
                .areDeclaredInClassesThat(resideInAnyPackage(USER_API, DATA, LOCKING_READS))
                .and(describe("are for users", ArchitectureTest::isForUsers))
                .should(show(resideInAPackage("io.dynamolock.internal..")))
                .check(CORE);
    }

    private static boolean isForUsers(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        boolean isVisible = modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
        return isVisible && member.getOwner().getModifiers().contains(JavaModifier.PUBLIC);
    }

    private static ArchCondition<JavaMember> show(DescribedPredicate<JavaClass> types) {
        return new ArchCondition<>("show types that " + types.getDescription()) {
            @Override
            public void check(JavaMember member, ConditionEvents events) {
                boolean isShown = member.getAllInvolvedRawTypes().stream().anyMatch(types);
                events.add(new SimpleConditionEvent(member, isShown, member.getDescription() + " shows one"));
            }
        };
    }

    @Test
    void nobodyButTheSystemTimeSourceReadsAClock() {
        CommonRules.nobodyReadsAClockBut("io.dynamolock.internal.time.TimeSource")
                .check(CORE);
    }

    @Test
    void nobodySleeps() {
        CommonRules.nobodySleeps().check(CORE);
    }

    @Test
    void nobodyUsesTheOldTimeClasses() {
        CommonRules.nobodyUsesTheOldTimeClasses().check(CORE);
    }

    @Test
    void randomnessIsHandedIn() {
        noClasses()
                .that()
                .resideInAnyPackage(PROTOCOL, ENGINE, STORES)
                .should()
                .accessTargetWhere(describe("it makes its own randomness", ArchitectureTest::makesRandomness))
                .because("a simulation must be able to replay a seed")
                .check(CORE);
    }

    @Test
    void theEngineUsesNoCommonPoolAndNoHiddenTimer() {
        noClasses()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .accessTargetWhere(describe("it uses the JDK's common pool or timer", ArchitectureTest::usesCommonPool))
                .because("the event loop and the injected executor run everything, also in the simulator")
                .check(CORE);
    }

    @Test
    void noTwoClassesOfTheEngineNeedEachOther() {
        CommonRules.noClassCycles()
                .check(CORE.that(resideInAPackage("io.dynamolock.internal.engine"))
                        .as("the engine"));
    }

    @Test
    void noKeyIsLoggedAboveDebug() throws IOException {
        Pattern logged = Pattern.compile("\\blog\\.(?:info|warn|error)\\((?:\"[^\"]*\"|[^;\"])*;");
        List<String> statements = new ArrayList<>();
        try (Stream<Path> files = Files.walk(MAIN)) {
            for (Path source :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                logged.matcher(Files.readString(source))
                        .results()
                        .map(statement -> statement.group().replaceAll("\"[^\"]*\"", ""))
                        .forEach(statements::add);
            }
        }
        assertThat(statements)
                .hasSizeGreaterThan(20)
                .noneMatch(statement -> statement.matches("(?is).*\\bkey\\b(?!\\(\\)\\.namespace).*"));
    }

    @Test
    void eachPlaceholderOfALogCallHasAnArgumentThatIsNotTheFailure() throws IOException {
        List<LogCall> calls = LogCall.of(MAIN, Path.of("../lock-spring-boot-starter/src/main/java"));

        assertThat(calls).hasSizeGreaterThan(30).allMatch(LogCall::isComplete);
    }

    /** Users' code throws failures, and their texts may be of any length. */
    @Test
    void theFailureOfALogCallIsMadeSafe() throws IOException {
        List<LogCall> calls = LogCall.of(MAIN, Path.of("../lock-spring-boot-starter/src/main/java"));

        assertThat(calls)
                .filteredOn(call -> !call.file().contains("loop"))
                .hasSizeGreaterThan(30)
                .noneMatch(LogCall::hasBareFailure);
    }

    private static DescribedPredicate<JavaClass> oursBut(DescribedPredicate<JavaClass> these) {
        return resideInAPackage("io.dynamolock..").and(not(these));
    }

    private static DescribedPredicate<JavaClass> named(String... names) {
        return describe(
                "are " + String.join(", ", names),
                type -> List.of(names).contains(type.getName().replaceFirst("\\$.*", "")));
    }

    private static boolean makesRandomness(JavaAccess<?> access) {
        JavaClass owner = access.getTarget().getOwner();
        String name = access.getTarget().getName();
        return owner.isEquivalentTo(UUID.class) && name.equals("randomUUID")
                || owner.isEquivalentTo(Math.class) && name.equals("random")
                || owner.isEquivalentTo(ThreadLocalRandom.class) && name.equals("current")
                || owner.isEquivalentTo(RandomGenerator.class)
                        && Set.of("of", "getDefault").contains(name)
                || owner.isAssignableTo(RandomGenerator.class) && name.equals(JavaConstructor.CONSTRUCTOR_NAME);
    }

    private static boolean usesCommonPool(JavaAccess<?> access) {
        if (!(access.getTarget() instanceof CodeUnitCallTarget method)
                || !method.getOwner().isAssignableTo(CompletionStage.class)) {
            return false;
        }
        boolean ownExecutor =
                method.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Executor.class));
        return method.getName().endsWith("Async") && !ownExecutor
                || Set.of("orTimeout", "completeOnTimeout", "delayedExecutor").contains(method.getName());
    }
}
