package io.awspring.cloud.autoconfigure.core;

import java.net.URI;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Stands for the interface of this name in Spring Cloud AWS, of which the starter knows the name and these getters. */
public interface AwsConnectionDetails extends ConnectionDetails {

    URI getEndpoint();

    String getRegion();

    String getAccessKey();

    String getSecretKey();
}
