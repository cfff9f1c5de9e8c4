import { isIPv4, isIPv6 } from "node:net";
import { groupsOf, mappedIpv4 } from "@/lib/server/http";

/** The network of an address, `192.0.2.0/24` or `2001:db8:1::/48`: enough to be surprised by, and nobody's host. Null for what is no address. */
export function roughPlace(address: string | null | undefined): string | null {
  const text = address ?? "";
  const plain = mappedIpv4(text) ?? text;
  if (isIPv4(plain)) return `${plain.split(".").slice(0, 3).join(".")}.0/24`;
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 3).join(":")}::/48` : null;
}
