package io.dynamolock.spring.autoconfigure;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * Recognizes local addresses. AWS has none, but DynamoDB Local may, which accepts any region and credentials. Looks
 * only at how an address is written, and asks no name server.
 */
final class LocalEndpoints {

    static final String RULE =
            "a local one is of this machine or of a private network: localhost, a host name without a"
                    + " dot (such as that of a container), host.docker.internal, or an address in 10.0.0.0/8, 172.16.0.0/12,"
                    + " 192.168.0.0/16, 127.0.0.0/8, 169.254.0.0/16, ::1, fc00::/7 or fe80::/10";

    private LocalEndpoints() {}

    static boolean contain(URI endpoint) {
        String host = endpoint.getHost() == null ? "" : endpoint.getHost().toLowerCase(Locale.ROOT);
        if (host.startsWith("[") || host.matches("\\d+\\.\\d+\\.\\d+\\.\\d+")) {
            return isPrivate(host.replaceFirst("%.*]", "]"));
        }
        return host.equals("localhost.localstack.cloud")
                || host.endsWith(".localhost")
                || host.endsWith(".docker.internal")
                || !host.isEmpty() && host.indexOf('.') < 0;
    }

    /** @param digits an address in digits, for which {@link InetAddress} asks no name server */
    private static boolean isPrivate(String digits) {
        try {
            InetAddress address = InetAddress.getByName(digits);
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
