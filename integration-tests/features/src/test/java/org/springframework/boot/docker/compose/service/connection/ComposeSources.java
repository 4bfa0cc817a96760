package org.springframework.boot.docker.compose.service.connection;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.mock.env.MockEnvironment;

/** Makes what Spring Boot makes of a service of Docker Compose. */
public final class ComposeSources {

    private ComposeSources() {}

    public static DockerComposeConnectionSource of(RunningService service) {
        return new DockerComposeConnectionSource(service, new MockEnvironment());
    }
}
