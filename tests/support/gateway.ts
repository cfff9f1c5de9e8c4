import type { RouteEndpoint } from "@/domain/routes";
import { type Gateway, type GatewayOptions, startGateway } from "@/gateway/gateway";

/** A gateway on free ports that serves what it is given, for tests. */
export function startTestGateway(
  endpoints: readonly RouteEndpoint[],
  options: Partial<GatewayOptions> = {},
): Promise<Gateway> {
  return startGateway({
    load: async () => ({ endpoints }),
    listen: () => ({ close: async () => {} }),
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://portal.test:3000",
    ...options,
  });
}
