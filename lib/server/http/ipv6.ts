/** The eight groups of an IPv6 address, zeros filled in. */
export function groupsOf(address: string): readonly string[] {
  const [before = "", after] = (address.split("%")[0] ?? "").split("::");
  const left = before === "" ? [] : before.split(":");
  const right = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...zeros, ...right];
}

/** The IPv4 address that stands in an IPv6 one, `::ffff:192.0.2.1`; null for any other. */
export const mappedIpv4 = (address: string): string | null =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? null;
