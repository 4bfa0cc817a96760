package io.dynamolock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The Actuator of an application, as its operators reach it. */
class ActuatorOverHttpTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final List<UserDetails> USERS = List.of(
            User.withUsername("clerk").password("{noop}secret").roles("CLERK").build(),
            User.withUsername("admin").password("{noop}secret").roles("ADMIN").build());

    /**
     * By what they were started with: that takes seconds. So tests with the same settings share a server, and its audit
     * events with it.
     */
    private static final Map<List<Object>, Server> SERVERS = new HashMap<>();

    private record Server(FlakyRegistry flaky, ConfigurableApplicationContext context) {}

    private final HttpClient http = HttpClient.newHttpClient();
    private FlakyRegistry flaky;
    private ConfigurableApplicationContext context;

    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    private @interface OnBothStacks {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration"
            })
    static class Application {

        @Bean
        AuditEventRepository audit() {
            return new InMemoryAuditEventRepository();
        }

        /** Asks the table each time. */
        @Bean
        @ConditionalOnEnabledHealthIndicator("dynamolock")
        LockHealthIndicator dynamolockHealthIndicator(LockRegistry locks) {
            return new LockHealthIndicator(locks, System::nanoTime, Duration.ZERO, LONG);
        }
    }

    /** Lets everybody in, so that the endpoint itself decides. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @EnableWebSecurity
    static class SecuredServlets {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(all -> all.anyRequest().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(USERS);
        }
    }

    /** As above. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @EnableWebFluxSecurity
    static class SecuredReactive {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.anyExchange().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .anonymous(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        ReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(USERS);
        }
    }

    private void start(WebApplicationType type, String... properties) {
        start(type, List.of(Application.class), properties);
    }

    private void startSecured(WebApplicationType type, String... properties) {
        start(type, List.of(Application.class, SecuredServlets.class, SecuredReactive.class), properties);
    }

    private void start(WebApplicationType type, List<Class<?>> sources, String... properties) {
        Server server = SERVERS.computeIfAbsent(
                List.of(type, sources, List.of(properties)), settings -> serve(type, sources, properties));
        context = server.context;
        flaky = server.flaky;
        flaky.reads.set(0);
    }

    private static Server serve(WebApplicationType type, List<Class<?>> sources, String... properties) {
        FlakyRegistry flaky = new FlakyRegistry();
        return new Server(
                flaky,
                new SpringApplicationBuilder(sources.toArray(Class[]::new))
                        .web(type)
                        .properties(
                                "server.port=0",
                                "spring.jmx.enabled=false",
                                "dynamolock.aws.region=eu-west-1",
                                "management.endpoints.web.exposure.include=*",
                                "management.endpoint.health.show-details=always",
                                "management.endpoint.health.probes.enabled=true")
                        .properties(properties)
                        .initializers(starting -> starting.getBeanFactory().registerSingleton("locks", flaky.locks))
                        .run());
    }

    @AfterEach
    void leaveNoLock() {
        if (flaky != null) {
            await().until(() ->
                    flaky.real.admin().held().isEmpty() && flaky.real.admin().waiting() == 0);
        }
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(server -> {
            server.context.close();
            server.flaky.real.close();
        });
    }

    private record Reply(int status, String body) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    private Reply call(String method, String path) throws IOException, InterruptedException {
        return call(null, method, path);
    }

    private Reply call(@Nullable String user, String method, String path) throws IOException, InterruptedException {
        URI uri = URI.create(
                "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/" + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
        if (user != null) {
            request.header("Authorization", "Basic " + HttpHeaders.encodeBasicAuth(user, "secret", null));
        }
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), response.body());
    }

    private Reply get(String path) throws IOException, InterruptedException {
        return call("GET", path);
    }

    @Test
    void anOutageOfTheTableIsNoReasonToRestartOrToTakeOffTheRequests() throws Exception {
        start(WebApplicationType.SERVLET);
        assertThat(get("health").json().at("/components/dynamolock/status").asString())
                .isEqualTo("UP");
        flaky.breakDown();
        flaky.troubles = List.of(new LockAdmin.StoreTrouble(
                "heartbeat", "unavailable", 3, Duration.ofSeconds(6), Duration.ofSeconds(1), "nothing listens there"));
        await().untilAsserted(() -> assertThat(get("health").status()).isEqualTo(503));
        assertThat(get("health").json().at("/components/dynamolock/status").asString())
                .isEqualTo("DOWN");
        assertThat(get("health/liveness").status()).isEqualTo(200);
        assertThat(get("health/readiness").status()).isEqualTo(200);
        assertThat(get("health/liveness").body()).doesNotContain("dynamolock");
        flaky.mend();
        flaky.troubles = List.of();
        await().untilAsserted(() -> assertThat(get("health").status()).isEqualTo(200));
    }

    @Test
    void healthCanBeSwitchedOffAndInfoOn() throws Exception {
        start(
                WebApplicationType.SERVLET,
                "management.health.dynamolock.enabled=false",
                "management.info.dynamolock.enabled=true");
        assertThat(get("health").body()).doesNotContain("dynamolock");
        assertThat(get("info").json().has("dynamolock")).isTrue();
    }

    @Test
    void infoIsOffUnlessItIsWanted() throws Exception {
        start(WebApplicationType.SERVLET);
        assertThat(get("info").body()).isEqualTo("{}");
    }

    @OnBothStacks
    void theLocksOfTheProcessAreShownWithoutTheirKeys(WebApplicationType type) throws Exception {
        start(type);
        try (LockHandle first = flaky.real.acquire(
                        LockRequest.of("secret").name("orders").caller("clerk 7"));
                LockHandle second = flaky.real.acquire(LockRequest.of("private").name("orders"))) {
            Reply all = get("dynamolock");
            assertThat(all.status()).isEqualTo(200);
            JsonNode json = all.json();
            assertThat(json.get("heldInTotal").asInt()).isEqualTo(2);
            assertThat(json.at("/held/0/name").asString()).isEqualTo("orders");
            assertThat(json.at("/held/0/fencingToken").asLong()).isEqualTo(first.fencingToken());
            assertThat(all.body()).doesNotContain("secret").doesNotContain("private");
            CompletableFuture<LockHandle> waiter = flaky.real.acquireAsync(
                    LockRequest.of("secret").name("orders").caller("order 42"));
            await().until(() -> flaky.real.admin().waiting() == 1);
            Reply waiting = get("dynamolock");
            assertThat(waiting.json().get("waitingInTotal").asInt()).isEqualTo(1);
            assertThat(waiting.json().at("/waiting/0/name").asString()).isEqualTo("orders");
            assertThat(waiting.body())
                    .as("a name given to a caller is as personal as a key")
                    .doesNotContain("order 42")
                    .doesNotContain("clerk 7");
            assertThat(get("dynamolock?limit=1").json().get("held")).hasSize(1);
            waiter.cancel(false);
            assertThat(second.isValid()).isTrue();
        }
    }

    @OnBothStacks
    void theLocksOfTheProcessAreShownWithKeysAndCallersIfTheseMayBeShown(WebApplicationType type) throws Exception {
        start(type, "management.endpoint.dynamolock.show-keys=always");
        try (LockHandle handle = flaky.real.acquire("k", LONG)) {
            CompletableFuture<LockHandle> waiter =
                    flaky.real.acquireAsync(LockRequest.of("k").caller("order 42"));
            await().until(() -> flaky.real.admin().waiting() == 1);
            JsonNode json = get("dynamolock").json();
            assertThat(json.at("/held/0/key").asString()).isEqualTo("k");
            assertThat(json.at("/held/0/caller").asString())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(json.at("/waiting/0/key").asString()).isEqualTo("k");
            assertThat(json.at("/waiting/0/caller").asString()).isEqualTo("order 42");
            waiter.cancel(false);
            assertThat(handle.isValid()).isTrue();
        }
    }

    @OnBothStacks
    void aLockShowsItsHolderAndItsQueue(WebApplicationType type) throws Exception {
        start(type, "management.endpoint.dynamolock.show-keys=always");
        try (LockHandle handle = flaky.real.acquire("k", LONG)) {
            CompletableFuture<LockHandle> waiter = flaky.real.acquireAsync(LockRequest.of("k"));
            await().until(() -> !flaky.real.admin().inspect("k").queue().isEmpty()
                    || flaky.real.admin().inspect("k").holder().orElseThrow().greatestToken() > handle.fencingToken());
            Reply reply = get("dynamolock/k");
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.json().get("key").asString()).isEqualTo("k");
            assertThat(reply.json().at("/holders/0/owner").asString()).isNotEmpty();
            assertThat(reply.json().at("/holders/0/id").asString()).isNotEmpty();
            assertThat(flaky.reader.getName())
                    .as("not on the event loop")
                    .doesNotContain("reactor-http")
                    .doesNotContain("parallel");
            waiter.cancel(false);
        }
    }

    @OnBothStacks
    void keysInAnAddressAreUnderstood(WebApplicationType type) throws Exception {
        start(type, "management.endpoint.dynamolock.show-keys=always");
        for (String path :
                List.of("a/b", "two%20words", "k%C3%BC%C3%9F%E2%9C%93", "a:b,c@d", "100%25", "semi%3Bcolon")) {
            String key = URLDecoder.decode(path, StandardCharsets.UTF_8);
            try (LockHandle handle = flaky.real.acquire(key, LONG)) {
                Reply reply = get("dynamolock/" + path);
                assertThat(reply.status()).as(reply.body()).isEqualTo(200);
                assertThat(reply.json().get("key").asString()).isEqualTo(key);
                assertThat(handle.isValid()).isTrue();
            }
        }
    }

    /** Web servers refuse or change such keys in a path. */
    @OnBothStacks
    void everyKeyIsUnderstoodAsAParameter(WebApplicationType type) throws Exception {
        startSecured(
                type, "management.endpoint.dynamolock.show-keys=always", "management.endpoint.dynamolock.evict=true");
        for (String key : List.of("a//b", "/a/", "a;b=c", "a%2Fb", "..", "a?b#c&d")) {
            LockHandle handle = flaky.real.acquire(LockRequest.of(key).namespace("odd"));
            String place = "dynamolock?namespace=odd&key=" + URLEncoder.encode(key, StandardCharsets.UTF_8);
            Reply reply = get(place);
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
            assertThat(reply.json().get("key").asString()).isEqualTo(key);
            String id = flaky.real
                    .admin()
                    .inspect(key, "odd")
                    .holder()
                    .orElseThrow()
                    .id();
            assertThat(call("clerk", "DELETE", place + "&id=" + id).status()).isEqualTo(204);
            assertThat(handle.isValid()).isFalse();
        }
    }

    @Test
    void aLockInAnotherNamespaceIsFoundByThat() throws Exception {
        start(WebApplicationType.SERVLET, "management.endpoint.dynamolock.show-keys=always");
        try (LockHandle handle = flaky.real.acquire(LockRequest.of("bill").namespace("billing"))) {
            assertThat(get("dynamolock/bill").status()).isEqualTo(404);
            assertThat(get("dynamolock/bill?namespace=billing").status()).isEqualTo(200);
            assertThat(handle.isValid()).isTrue();
        }
    }

    @Test
    void whatIsNotThereOrCannotBeReadIsAnsweredWithASentence() throws Exception {
        // A server of its own, because its registry is closed.
        start(
                WebApplicationType.SERVLET,
                "management.endpoint.dynamolock.show-keys=always",
                "spring.application.name=closed");
        Reply missing = get("dynamolock/nobody");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.json().get("problem").asString()).contains("Nobody holds this lock");
        assertThat(get("dynamolock/k?namespace=a%2Fb").status()).isEqualTo(400);
        flaky.real.close();
        Reply closed = get("dynamolock/nobody");
        assertThat(closed.status()).isEqualTo(503);
        assertThat(closed.body()).doesNotContain("Exception").doesNotContain("nobody");
    }

    @OnBothStacks
    void aGuessedKeyIsAnsweredAsAnyOtherUnlessKeysAreShown(WebApplicationType type) throws Exception {
        start(type);
        try (LockHandle handle = flaky.real.acquire("k", LONG)) {
            Reply guessed = get("dynamolock/k");
            assertThat(guessed.status()).isEqualTo(403);
            assertThat(guessed).isEqualTo(get("dynamolock/nobody"));
            assertThat(guessed.json().get("problem").asString()).contains("show-keys");
            assertThat(flaky.reads).as("of the table").hasValue(0);
            assertThat(handle.isValid()).isTrue();
        }
    }

    @OnBothStacks
    void aKnownUserSeesKeysAndOwnersAndAnAnonymousOneDoesNot(WebApplicationType type) throws Exception {
        startSecured(type, "management.endpoint.dynamolock.show-keys=when-authorized");
        try (LockHandle handle = flaky.real.acquire("secret", LONG)) {
            assertThat(get("dynamolock/secret").status()).isEqualTo(403);
            assertThat(get("dynamolock").body()).doesNotContain("secret");
            Reply shown = call("clerk", "GET", "dynamolock/secret");
            assertThat(shown.status()).isEqualTo(200);
            assertThat(shown.json().at("/holders/0/greatestToken").asLong()).isEqualTo(handle.fencingToken());
            assertThat(call("clerk", "GET", "dynamolock").body()).contains("secret");
        }
    }

    @Test
    void nothingCanBeEvictedUnlessThatIsSwitchedOn() throws Exception {
        start(WebApplicationType.SERVLET);
        try (LockHandle handle = flaky.real.acquire("k", LONG)) {
            assertThat(call("DELETE", place()).status()).isIn(404, 405);
            assertThat(handle.isValid()).isTrue();
        }
    }

    @OnBothStacks
    void aHolderIsEvictedAndRecorded(WebApplicationType type) throws Exception {
        startSecured(type, "management.endpoint.dynamolock.evict=true");
        LockRegistry locks = flaky.real;
        LockHandle handle = locks.acquire("k", LONG);
        String place = place();
        assertThat(call("clerk", "DELETE", place).status()).isEqualTo(204);
        await().untilAsserted(() -> assertThat(handle.isValid()).isFalse());
        await().until(() -> locks.admin().inspect("k").holder().isEmpty());
        assertThat(call("clerk", "DELETE", place).status()).isEqualTo(404);
        assertThat(call("clerk", "DELETE", "dynamolock/k?id=nonsense").status()).isEqualTo(400);
        assertThat(call("clerk", "DELETE", "dynamolock/k").status()).isEqualTo(400);
        assertThat(recorded()).containsExactly("clerk evicted", "clerk gone", "clerk failed");
        assertThat(attempts().get(0).getData())
                .containsEntry("id", place.substring(place.indexOf('=') + 1))
                .containsEntry("namespace", "default")
                .containsEntry("keyHash", "b64c73037bd3cc33")
                .doesNotContainKey("key");
    }

    @OnBothStacks
    void whoIsAnonymousEvictsNobodyAndTheAttemptIsRecorded(WebApplicationType type) throws Exception {
        startSecured(
                type, "management.endpoint.dynamolock.evict=true", "management.endpoint.dynamolock.show-keys=always");
        try (LockHandle handle = flaky.real.acquire("k", LONG)) {
            Reply refused = call("DELETE", place());
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.json().get("problem").asString()).contains("authenticated");
            assertThat(handle.isValid()).isTrue();
            assertThat(recorded()).containsExactly(" refused");
            assertThat(attempts().get(0).getData()).containsEntry("key", "k");
        }
    }

    @OnBothStacks
    void onlyWhoHasOneOfTheRolesEvictsIfRolesAreSet(WebApplicationType type) throws Exception {
        startSecured(
                type,
                "management.endpoint.dynamolock.evict=true",
                "management.endpoint.dynamolock.roles=ADMIN,OPERATOR");
        LockHandle handle = flaky.real.acquire("k", LONG);
        String place = place();
        assertThat(call("clerk", "DELETE", place).status()).isEqualTo(403);
        assertThat(handle.isValid()).isTrue();
        assertThat(call("admin", "DELETE", place).status()).isEqualTo(204);
        await().untilAsserted(() -> assertThat(handle.isValid()).isFalse());
        assertThat(recorded()).containsExactly("clerk refused", "admin evicted");
    }

    /** Of the holder of k. */
    private String place() {
        return "dynamolock/k?id="
                + flaky.real.admin().inspect("k").holder().orElseThrow().id();
    }

    private List<AuditEvent> attempts() {
        return context.getBean(AuditEventRepository.class).find(null, null, "DYNAMOLOCK_EVICTION");
    }

    private List<String> recorded() {
        return attempts().stream()
                .map(event -> event.getPrincipal() + " " + event.getData().get("outcome"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutSecurityOnTheClassPathEvictionsOverHttpAreRefusedAtTheStart(boolean lazy) {
        ApplicationContextRunner unsecured = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamoLockActuatorAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .withBean(FakeLockRegistry.class)
                .withPropertyValues("management.endpoint.dynamolock.evict=true")
                .withInitializer(context -> {
                    if (lazy) {
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
                    }
                });
        unsecured
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(application -> assertThat(application)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("management.endpoint.dynamolock.evict")
                        .hasMessageContaining("spring-boot-starter-security"));
        unsecured.run(application -> assertThat(application).as("not exposed").hasNotFailed());
    }
}
