import { portalEnv } from "@/lib/server/env";

/** Where clients reach the gateway, without a slash at the end. */
export function gatewayUrl(): string {
  return portalEnv().GATEWAY_URL.replace(/\/$/, "");
}
