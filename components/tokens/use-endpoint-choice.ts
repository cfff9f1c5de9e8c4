import { useQuery } from "@tanstack/react-query";
import { endpointAddressesQuery } from "./api";

/** The endpoints that a token can be made for, and where the gateway is, as their addresses tell; null: there are none. */
export function useEndpointChoice(): {
  readonly names: readonly string[];
  readonly gateway: string | null;
} {
  const items = useQuery(endpointAddressesQuery()).data?.items ?? [];
  const [first] = items;
  return {
    names: items.map(({ name }) => name),
    gateway: first ? first.url.replace(/\/v2\/models\/[^/]+\/infer$/, "") : null,
  };
}
