import { portalEnv } from "@/lib/server/env";

/** Where clients reach the gateway, without a slash at the end. */
export function gatewayUrl(): string {
  return bare(portalEnv().GATEWAY_URL);
}

/** Where the portal itself reaches it, without a slash at the end. */
export function internalGatewayUrl(): string {
  const { GATEWAY_INTERNAL_URL, GATEWAY_URL } = portalEnv();
  return bare(GATEWAY_INTERNAL_URL ?? GATEWAY_URL);
}

/** Where the portal reaches the gateway over gRPC: `host:port`. */
export function gatewayGrpcAddress(): string {
  const { hostname } = new URL(internalGatewayUrl());
  return `${hostname}:${portalEnv().GATEWAY_GRPC_PORT}`;
}

/** The same for clients. */
export function publicGrpcAddress(): string {
  return `${new URL(gatewayUrl()).hostname}:${portalEnv().GATEWAY_GRPC_PORT}`;
}

const bare = (url: string) => url.replace(/\/$/, "");
