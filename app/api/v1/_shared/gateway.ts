import { gatewayUrl } from "@/app/gateway-url";

/** The domain knows paths of the gateway only; the API tells whole addresses. */
export function withGatewayUrl<T extends { readonly url: string }>(answer: T): T {
  return { ...answer, url: gatewayUrl() + answer.url };
}
