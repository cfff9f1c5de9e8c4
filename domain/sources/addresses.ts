import { BlockList, isIP, SocketAddress } from "node:net";
import { networkInterfaces } from "node:os";

/** Ranges that are not for the public, or not for hosts. @see IANA special-purpose address registries */
const notPublic4 = listOf("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

/** Global unicast IPv6 is 2000::/3; mapped, compatible, NAT64, local and multicast addresses all lie outside of it. */
const global6 = listOf("ipv6", [["2000::", 3]]);

/** Parts of 2000::/3 that carry an IPv4 address inside, or are set aside: Teredo, 6to4, documentation. */
const notPublic6 = listOf("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);

function listOf(
  family: "ipv4" | "ipv6",
  networks: readonly (readonly [network: string, bits: number])[],
): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

/**
 * Whether an address may be fetched from without anybody listing it: it is for the public, and not this machine's own, where services
 * may listen that trust it.
 */
export const isForeignPublic = (
  address: string,
  interfaces: typeof networkInterfaces = networkInterfaces,
): boolean => isPublicAddress(address) && !isOwn(address, interfaces());

/** Whether a network interface of this machine has the address. Bits are compared. */
function isOwn(address: string, interfaces: ReturnType<typeof networkInterfaces>): boolean {
  const plain = plainOf(address);
  return Object.values(interfaces).some((all = []) =>
    all.some((own) => plainOf(own.address) === plain),
  );
}

/** One spelling of an address. */
const plainOf = (address: string): string =>
  new SocketAddress({ address, family: isIP(address) === 6 ? "ipv6" : "ipv4" }).address;

/** Whether an address is global unicast. Bits are compared, so the spelling does not matter; anything else is false. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic4.check(address, "ipv4");
    case 6:
      return (
        !address.includes("%") &&
        global6.check(address, "ipv6") &&
        !notPublic6.check(address, "ipv6")
      );
    default:
      return false;
  }
}
