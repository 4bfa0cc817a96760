package io.dynamolock.spring.annotation;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** The aspect knows the annotations. By names, so that these need not know it. */
final class AspectSelector implements ImportSelector {

    @Override
    public String[] selectImports(AnnotationMetadata importer) {
        return new String[] {
            "io.dynamolock.spring.aspect.ProxyRegistrar", "io.dynamolock.spring.aspect.DynamoLocksConfiguration"
        };
    }
}
