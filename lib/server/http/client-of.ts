import { groupsOf, mappedIpv4 } from "./ipv6";

/**
 * The client that an address stands for: IPv4 as it is, also where it came as IPv6; of IPv6 the network of 64 bits, since
 * one host has all addresses of its own.
 */
export function clientOf(address: string | undefined): string {
  const text = address ?? "";
  const mapped = mappedIpv4(text);
  if (mapped !== null) return mapped;
  return text.includes(":") ? `${groupsOf(text).slice(0, 4).join(":")}::/64` : text;
}
