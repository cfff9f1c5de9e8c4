/**
 * The client that an address stands for: IPv4 as it is, also where it came as IPv6; of IPv6 the network of 64 bits, since
 * one host has all addresses of its own.
 */
export function clientOf(address: string | undefined): string {
  const text = address ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!text.includes(":")) return text;
  const [before = "", after] = (text.split("%")[0] ?? "").split("::");
  const left = before === "" ? [] : before.split(":");
  const right = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}
