package org.springframework.boot.testcontainers.service.connection;

import java.util.List;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.testcontainers.containers.Container;

/** Makes what Spring Boot makes of a container with {@code @ServiceConnection}, without starting it. */
public final class ContainerSources {

    private ContainerSources() {}

    public static <C extends Container<?>> ContainerConnectionSource<C> of(Class<C> type, String image, C container) {
        return new ContainerConnectionSource<>(
                "test",
                null,
                type,
                image,
                MergedAnnotation.of(ServiceConnection.class),
                () -> container,
                null,
                MergedAnnotations.of(List.of()));
    }
}
