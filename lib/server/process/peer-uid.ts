import { readFile } from "node:fs/promises";
import { isIPv4, isIPv6, type Socket } from "node:net";
import { endianness } from "node:os";

/** Where Linux lists the sockets of this network, with their users. An IPv4 connection may stand in either. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"] as const;
/** The list is no snapshot: a socket can be passed over while others come and go. */
const maxTries = 3;

/** The user at the other end of a connection from this machine; null: nobody here holds it, or the system does not say. */
export async function peerUid(socket: Socket): Promise<number | null> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return null;
  const ends: Ends = {
    own: { address: remoteAddress, port: remotePort },
    other: { address: localAddress, port: localPort },
  };
  for (let tries = 0; tries < maxTries; tries++) {
    for (const table of tables) {
      const uid = uidIn(await readFile(table, "latin1").catch(() => ""), ends);
      if (uid !== null) return uid;
    }
  }
  return null;
}

interface End {
  readonly address: string;
  readonly port: number;
}

/** A connection as one of its ends sees it. */
interface Ends {
  readonly own: End;
  readonly other: End;
}

/**
 * The user of a connection in a table of Linux.
 *
 * @returns Null also for a socket that no process holds any more: the kernel shows those as root's.
 */
export function uidIn(
  table: string,
  { own, other }: Ends,
  littleEndian = endianness() === "LE",
): number | null {
  const wanted = [own, other].map(({ address, port }) => `${wordsOf(address)}:${port}`).join(" ");
  const [near, far] = [`:${hex(own.port, 4)} `, `:${hex(other.port, 4)} `];
  for (const line of table.split("\n")) {
    // Cheap first: there may be thousands of lines.
    if (!line.includes(near) || !line.includes(far)) continue;
    const fields = line.trim().split(/\s+/);
    const [, local = "", remote = ""] = fields;
    const found = [local, remote].map((text) => endOf(text, littleEndian)).join(" ");
    const inode = Number(fields[9]);
    if (found === wanted && inode > 0) return Number(fields[7]);
  }
  return null;
}

/** `0100007F:0BB8` as `wordsOf` would say it. */
function endOf(text: string, littleEndian: boolean): string {
  const [address = "", port = ""] = text.split(":");
  const words = (address.match(/.{8}/g) ?? []).map((word) =>
    littleEndian ? (word.match(/../g) ?? []).reverse().join("") : word,
  );
  const whole = words.length === 1 ? [...mapped, ...words] : words;
  return `${whole.join("").toLowerCase()}:${Number.parseInt(port, 16)}`;
}

const mapped = ["00000000", "00000000", "0000ffff"];

/** The 16 bytes of an address in hexadecimal; IPv4 as IPv6 carries it. */
function wordsOf(address: string): string {
  const [bare = ""] = address.split("%", 1);
  if (isIPv4(bare)) return mapped.join("") + quad(bare);
  if (!isIPv6(bare)) return "";
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  const last = dotted ? quad(dotted[2] ?? "") : "";
  const text = dotted ? `${dotted[1]}${last.slice(0, 4)}:${last.slice(4)}` : bare;
  const [left = "", right] = text.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [head, tail] = [groups(left), groups(right ?? "")];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...(right === undefined ? [] : zeros), ...tail]
    .map((group) => group.toLowerCase().padStart(4, "0"))
    .join("");
}

const quad = (address: string) =>
  address
    .split(".")
    .map((part) => hex(Number(part), 2).toLowerCase())
    .join("");
const hex = (value: number, digits: number) =>
  value.toString(16).toUpperCase().padStart(digits, "0");
