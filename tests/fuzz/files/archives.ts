import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { Random } from "@/compiler/random";
import { tarOf } from "@/tests/support/tar-file";
import { chance, pick } from "../random-of";
import { damage, oddIntegers } from "./damage";

export type Members = readonly (readonly [name: string, content: Uint8Array])[];

/** An archive, and whether one of its members breaks a rule, so that nothing may be taken of it. */
interface OddArchive {
  readonly bytes: Uint8Array;
  readonly breaksRule: boolean;
}

/** Names that no member may have. */
const forbiddenNames: readonly string[] = [
  "../escape",
  "a/../../escape",
  "/etc/passwd",
  "C:/x",
  "a\\b",
  "a\u0007",
  "a\u0000/b",
  "a//b",
  "./a",
  "a./b",
  "a /b",
  "NUL.txt",
  "x/com1",
  `${"a/".repeat(17)}b`,
  "n".repeat(256),
];

/** A zip of these members, most often with something wrong in it. */
export function oddZip(members: Members, random: Random): OddArchive {
  const { listed, breaksRule } = withOddName(members, random);
  const link = !breaksRule && chance(6, random);
  const bytes = zipOf(listed, (name) => (link && name === listed[0]?.[0] ? 0xa1ff_0000 : 0));
  if (breaksRule || link) return { bytes, breaksRule: true };
  const change = random.integer(0, 3);
  if (change === 0) return { bytes: damage(bytes, random, bytes), breaksRule: false };
  return { bytes: change === 1 ? bytes : withOddField(bytes, random), breaksRule: false };
}

/** A tar of these members, most often with something wrong in it; whose sums are right. */
export function oddTar(members: Members, random: Random): OddArchive {
  const { listed, breaksRule } = withOddName(members, random, 100);
  const odd = pick(listed, random)[0];
  const kind = breaksRule || chance(2, random) ? "0" : pick([..."1234 6SMVDxgLKXAz"], random);
  const size = breaksRule || kind !== "0" || chance(2, random) ? null : pick(oddIntegers, random);
  const bytes = tarOf(listed, (header, name) => {
    if (name !== odd) return;
    header.write(kind, 156, "latin1");
    if (size === null) return;
    if (chance(2, random)) {
      header.fill(0, 124, 136).writeBigUInt64BE(BigInt.asUintN(64, size), 128);
      header[124] = 0x80;
    } else header.write(`${size.toString(8)}\0`.slice(0, 12).padStart(12, "0"), 124);
  });
  const isKnown = "0xgLK".includes(kind);
  if (breaksRule || !isKnown) return { bytes, breaksRule: true };
  return { bytes: chance(4, random) ? damage(bytes, random, bytes) : bytes, breaksRule: false };
}

/** The same, packed: one in eight of them is packed twice, has two streams, or is damaged within. */
export function oddGzip(members: Members, random: Random): OddArchive {
  const { bytes, breaksRule } = oddTar(members, random);
  const packed = gzipSync(bytes, { level: 1 });
  switch (random.integer(0, 15)) {
    case 0:
      return { bytes: gzipSync(packed), breaksRule: true };
    case 1:
      return { bytes: Buffer.concat([packed, packed]), breaksRule: true };
    case 2:
      return { bytes: gzipSync(Buffer.concat([bytes, Buffer.alloc(8 << 20)])), breaksRule };
    case 3:
    case 4:
      return { bytes: damage(packed, random, packed), breaksRule: false };
    default:
      return { bytes: packed, breaksRule };
  }
}

/** A zip of plain files. */
export function zipOf(members: Members, attributesOf: (name: string) => number = () => 0): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of members) {
    const packed = deflateRawSync(content, { level: 1 });
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const places = Buffer.alloc(14);
    places.writeUInt32LE(attributesOf(name), 6);
    places.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, nameBytes, packed]);
    parts.push(local);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), common, places, nameBytes]),
    );
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, entries, end]);
}

function withOddName(members: Members, random: Random, longest = Number.POSITIVE_INFINITY) {
  const [first = ["", new Uint8Array()] as const] = members;
  const fitting = forbiddenNames.filter((name) => name.length <= longest && !name.includes("\0"));
  switch (random.integer(0, 7)) {
    case 0:
    case 1:
      return { listed: [...members, [pick(fitting, random), first[1]] as const], breaksRule: true };
    case 2:
      return {
        listed: [...members, [pick([first[0], first[0].toUpperCase()], random), first[1]] as const],
        breaksRule: true,
      };
    case 3:
      // A file that is a folder, too.
      return { listed: [...members, [`${first[0]}/x`, first[1]] as const], breaksRule: true };
    default:
      return { listed: [...members], breaksRule: false };
  }
}

/** Overwrites a field of a header or of the directory with a number that it should not have. */
function withOddField(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = Buffer.from(bytes);
  const signature = pick(["PK\x03\x04", "PK\x01\x02", "PK\x05\x06"], random);
  const places: number[] = [];
  for (let at = changed.indexOf(signature); at >= 0; at = changed.indexOf(signature, at + 1)) {
    places.push(at);
  }
  const at = pick(places, random);
  const field = random.integer(4, signature === "PK\x01\x02" ? 44 : 20);
  changed.writeUInt16LE(Number(BigInt.asUintN(16, pick(oddIntegers, random))), at + field);
  return changed;
}
