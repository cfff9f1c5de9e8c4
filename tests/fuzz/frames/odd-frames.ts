import type { Random } from "@/compiler/random";
import { damage, oddIntegers } from "../files/damage";
import { spoilJson } from "../files/json";
import { chance, pick } from "../random-of";

/** A tensor of four floats, as the words of a frame announce it. */
const tensor = { name: "x", datatype: "FP32", shape: [1, 4], count: 4, bytes: 16 };
const values = Buffer.from(Float32Array.of(1, 2, 3, 4).buffer);

/** Bytes that somebody who has a connection sends, in the pieces in which they come, and what becomes of it. */
export interface Sent {
  readonly pieces: readonly Uint8Array[];
  readonly end: "half-close" | "leave" | "stay";
}

/** One to three frames on a connection, most of them with something wrong. */
export function oddConversation(heads: readonly object[], random: Random): Sent {
  const frames = Array.from({ length: random.integer(1, 3) }, () =>
    oddFrame(pick(heads, random), random),
  );
  return {
    pieces: inPieces(Buffer.concat(frames), random),
    end: pick(["half-close", "leave", "stay"], random),
  };
}

/** A frame around some words, whose lengths, words or tensors are not what they should be; or are. */
export function oddFrame(head: object, random: Random): Uint8Array {
  const framed = chance(4, random) ? [] : [tensor];
  const plain = JSON.stringify([head, framed]);
  const words = chance(3, random) ? Buffer.from(plain) : spoilt(plain, random);
  const blobs = chance(6, random) ? Buffer.alloc(random.integer(0, 64), 0x7f) : values;
  const frame = frameOf(words, framed.length > 0 ? blobs : Buffer.alloc(0));
  if (chance(8, random)) return damage(frame, random, frame);
  if (chance(8, random)) {
    const length = Number(BigInt.asUintN(32, pick(oddIntegers, random)));
    frame.writeUInt32LE(length, pick([0, 4], random));
  }
  return frame;
}

/** Texts and names that JavaScript itself stumbles over are as likely as others. */
function spoilt(words: string, random: Random): Uint8Array {
  if (!chance(4, random)) return spoilJson(words, random);
  const hostile = pick(
    ['{"toString":1,"valueOf":1}', '{"__proto__":{"id":1}}', '{"then":1}', '{"length":4294967295}'],
    random,
  );
  const places = [...words.matchAll(/:("[^"]*"|\d+|true|false)/g)];
  const { index, 0: match } = pick(places, random);
  return Buffer.from(`${words.slice(0, index)}:${hostile}${words.slice(index + match.length)}`);
}

export function frameOf(words: Uint8Array, blobs: Uint8Array): Buffer<ArrayBuffer> {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(words.length, 0);
  lengths.writeUInt32LE(blobs.length, 4);
  return Buffer.concat([lengths, words, blobs]);
}

function inPieces(bytes: Uint8Array, random: Random): Uint8Array[] {
  if (!chance(3, random)) return [bytes];
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = random.integer(1, 40);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
