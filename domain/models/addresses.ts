/** IPv4 ranges that are not public. Source: IANA special-purpose registry, and what may be inside a lab. */
const privateRanges: readonly (readonly [string, number])[] = [
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
];

/** Whether a host that WHATWG `URL` has normalised could be public, as far as that is known without a look-up. */
export function mayBePublicHost(host: string): boolean {
  if (host.startsWith("[")) return isPublicIpv6(host.slice(1, -1));
  if (/^\d+(\.\d+){3}$/.test(host)) return isPublicIpv4(host);
  const name = host.replace(/\.$/, "");
  return (
    name === host &&
    name.includes(".") &&
    !/(^|\.)(localhost|local|internal|lan|home\.arpa)$/.test(name)
  );
}

function isPublicIpv4(address: string): boolean {
  const bits = toBits(address);
  return !privateRanges.some(([base, length]) => {
    const shift = 2 ** (32 - length);
    return Math.floor(bits / shift) === Math.floor(toBits(base) / shift);
  });
}

function toBits(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Only 2000::/3 is global unicast; of it, Teredo, 6to4 and documentation are not. */
function isPublicIpv6(address: string): boolean {
  const [first = "0", second = "0"] = address.split(":");
  const [a, b] = [Number.parseInt(first || "0", 16), Number.parseInt(second || "0", 16)];
  if (a < 0x2000 || a > 0x3fff) return false;
  return !(a === 0x2002 || (a === 0x2001 && (b === 0 || b === 0xdb8)));
}
