package io.dynamolock.spring.autoconfigure;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Addresses at which there can be no AWS, but a DynamoDB Local or its like, which takes any region and credentials. Asks
 * no name server: an address is local by how it is written.
 */
final class LocalEndpoints {

    static final String RULE =
            "a local one is of this machine or of a private network: localhost, a host name without a"
                    + " dot (such as that of a container), host.docker.internal, or an address in 10.0.0.0/8, 172.16.0.0/12,"
                    + " 192.168.0.0/16, 127.0.0.0/8, 169.254.0.0/16, ::1, fc00::/7 or fe80::/10";

    private static final String LOCAL_STACK = "localhost.localstack.cloud";

    private static final Pattern PRIVATE = Pattern.compile(
            "(127|10)\\.\\d+\\.\\d+\\.\\d+|172\\.(1[6-9]|2\\d|3[01])\\.\\d+\\.\\d+|(192\\.168|169\\.254)"
                    + "\\.\\d+\\.\\d+");

    private LocalEndpoints() {}

    static boolean contain(URI endpoint) {
        String host = endpoint.getHost() == null ? "" : endpoint.getHost().toLowerCase(Locale.ROOT);
        return host.equals(LOCAL_STACK)
                || host.endsWith(".localhost")
                || host.endsWith(".docker.internal")
                || !host.isEmpty() && host.indexOf('.') < 0 && host.indexOf(':') < 0
                || PRIVATE.matcher(host).matches()
                || host.startsWith("[") && isLocalV6(host);
    }

    /** What stands in brackets is never looked up. */
    private static boolean isLocalV6(String host) {
        try {
            InetAddress address = InetAddress.getByName(host.replaceFirst("%.*]", "]"));
            boolean uniqueLocal = address instanceof Inet6Address && (address.getAddress()[0] & 0xFE) == 0xFC;
            return uniqueLocal
                    || address.isLoopbackAddress()
                    || address.isLinkLocalAddress()
                    || address.isSiteLocalAddress();
        } catch (UnknownHostException noAddress) {
            return false;
        }
    }
}
