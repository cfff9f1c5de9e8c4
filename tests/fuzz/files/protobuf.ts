import type { Random } from "@/compiler/random";
import { chance, pick } from "../random-of";
import { oddIntegers, oddTexts } from "./damage";

/** A field as it lies in a message; bytes that can be read as a message are one. */
interface Field {
  number: number;
  value: bigint | Uint8Array | Message;
  /** As protobuf has them: 0 a varint, 1 and 5 fixed, 2 bytes. */
  wire: number;
}
interface Message {
  fields: Field[];
}

const deepest = 16;

/** One to three changes to the tree of a protobuf message, whose meaning is not known. */
export function spoilProtobuf(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  const root = readMessage(bytes, 0);
  if (!root) throw new Error("no protobuf message");
  const foreign = readMessage(other, 0) ?? root;
  const times = random.integer(1, 3);
  for (let i = 0; i < times; i += 1) spoilOnce(root, foreign, random);
  return Buffer.concat(partsOf(root));
}

/** All fields below a message, each with the message that it stands in. */
function fieldsOf(message: Message): { field: Field; within: Message; at: number }[] {
  return message.fields.flatMap((field, at) => [
    { field, within: message, at },
    ...(isMessage(field.value) ? fieldsOf(field.value) : []),
  ]);
}

const isMessage = (value: Field["value"]): value is Message =>
  typeof value === "object" && "fields" in value;

function spoilOnce(root: Message, foreign: Message, random: Random): void {
  const all = fieldsOf(root);
  if (all.length === 0) return;
  const { field, within, at } = pick(all, random);
  switch (random.integer(0, 11)) {
    case 0:
      within.fields.splice(at, 1);
      return;
    case 1:
      within.fields.splice(at, 0, ...new Array<Field>(pick([1, 2, 300], random)).fill(field));
      return;
    case 2: {
      const to = random.integer(0, within.fields.length - 1);
      const there = within.fields[to] as Field;
      within.fields[to] = field;
      within.fields[at] = there;
      return;
    }
    case 3:
      field.value = pick(fieldsOf(chance(2, random) ? root : foreign), random).field.value;
      field.wire = wireOf(field.value);
      if (isMessage(field.value)) field.value = structuredClone(field.value);
      return;
    case 4:
      within.fields.splice(at, 0, structuredClone(pick(fieldsOf(foreign), random).field));
      return;
    case 5:
      field.number = chance(2, random) ? random.integer(1, 30) : 536_870_911;
      return;
    case 6:
      field.wire = random.integer(0, 7);
      return;
    case 7:
      nest(field, random);
      return;
    default:
      field.value = oddValue(field.value, random);
  }
}

const wireOf = (value: Field["value"]): number => (typeof value === "bigint" ? 0 : 2);

/** The field inside of itself, so deep that recursion would end by it: as bytes, which need no recursion here. */
function nest(field: Field, random: Random): void {
  let bytes = Buffer.concat(partsOf({ fields: [{ ...field }] }));
  for (let depth = pick([1, 3, 70, 2000], random); depth > 1; depth -= 1) {
    const head = [tagOf(field.number, 2), varintOf(BigInt(bytes.length))];
    bytes = Buffer.concat([...head, bytes]);
  }
  field.value = bytes;
  field.wire = 2;
}

function oddValue(value: Field["value"], random: Random): Field["value"] {
  if (typeof value === "bigint") return BigInt.asUintN(64, pick(oddIntegers, random));
  if (isMessage(value)) {
    return chance(2, random) ? { fields: [] } : pick(oddTexts, random);
  }
  switch (random.integer(0, 4)) {
    case 0:
      return value.subarray(0, random.integer(0, value.length));
    case 1:
      return Buffer.concat([value, value]);
    case 2: {
      const changed = Uint8Array.from(value);
      const at = random.integer(0, Math.max(0, value.length - 1));
      changed.set(pick([[0xff], [0], [0x7f, 0xc0]], random).slice(0, value.length - at), at);
      return changed;
    }
    default:
      return pick(oddTexts, random);
  }
}

function readMessage(bytes: Uint8Array, depth: number): Message | null {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint | null => {
    let value = 0n;
    for (let shift = 0n; shift < 70n && at < bytes.length; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return null;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag === null || tag < 8n || tag > 4000n) return null;
    const [number, wire] = [Number(tag >> 3n), Number(tag & 7n)];
    const length = wire === 2 ? varint() : wire === 1 ? 8n : wire === 5 ? 4n : null;
    if (wire === 0) {
      const value = varint();
      if (value === null) return null;
      fields.push({ number, wire, value });
      continue;
    }
    if (length === null || length > BigInt(bytes.length - at)) return null;
    const part = bytes.subarray(at, at + Number(length));
    at += part.length;
    const inner = wire === 2 && part.length > 1 && depth < deepest;
    fields.push({ number, wire, value: (inner && readMessage(part, depth + 1)) || part });
  }
  return { fields };
}

/** Wire types that do not fit their values come out as a broken file would have them. */
function partsOf({ fields }: Message): Uint8Array[] {
  return fields.flatMap(({ number, wire, value }) => {
    const tag = tagOf(number, wire);
    if (typeof value === "bigint") return [tag, varintOf(value)];
    const parts = isMessage(value) ? [Buffer.concat(partsOf(value))] : [value];
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return wire === 1 || wire === 5 ? [tag, ...parts] : [tag, varintOf(BigInt(length)), ...parts];
  });
}

const tagOf = (number: number, wire: number): Uint8Array =>
  varintOf((BigInt(number) << 3n) | BigInt(wire));

function varintOf(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}
