import { gatewayUrl, publicGrpcAddress } from "@/app/gateway-url";

/** The domain knows paths of the gateway only; the API tells whole addresses. */
export function withGatewayUrl<T extends { readonly url: string }>(answer: T): T {
  return { ...answer, url: gatewayUrl() + answer.url };
}

/** The same of an endpoint that is shown by itself, with where it is reached over gRPC. */
export function withGatewayAddresses<T extends { readonly url: string }>(answer: T) {
  return { ...withGatewayUrl(answer), grpc: publicGrpcAddress() };
}
