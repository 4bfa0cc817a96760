package io.dynamolock.spring.annotation;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** Imports the aspect by name, because the package of the aspect depends on this package. */
final class AspectSelector implements ImportSelector {

    @Override
    public String[] selectImports(AnnotationMetadata importer) {
        return new String[] {
            "io.dynamolock.spring.aspect.ProxyRegistrar", "io.dynamolock.spring.aspect.DynamoLocksConfiguration"
        };
    }
}
