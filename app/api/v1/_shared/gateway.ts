import { portalEnv } from "@/lib/server/env";

/** The address under which clients find a path of the gateway. */
export function gatewayUrl(path: string): string {
  return `${portalEnv().GATEWAY_URL.replace(/\/$/, "")}${path}`;
}

/** The domain knows paths only; the API tells whole addresses. */
export function withGatewayUrl<T extends { readonly url: string }>(answer: T): T {
  return { ...answer, url: gatewayUrl(answer.url) };
}
