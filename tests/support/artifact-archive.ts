import { generateKeyPairSync, sign } from "node:crypto";
import { archiveMembers, canonicalJson, type FileRole, type Manifest } from "@/lib/common/contract";
import { digestOf, digestOfJson } from "@/lib/server/digest";
import { ice40Bitstream } from "./bitstreams";

/** A key of some installation. */
export function someKey() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  return {
    keyId: digestOf(raw).slice(7, 23),
    publicKey: raw.toString("base64"),
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString("base64"),
  };
}

const grid = (width: number) => ({ width, fraction: 4, signed: true });

/** Firmware of an iCEBreaker that holds no design. */
export const firmwareFiles: ReadonlyMap<FileRole, Uint8Array> = new Map<FileRole, Uint8Array>([
  ["bitstream", ice40Bitstream()],
  ["report", Buffer.from('{"resources":[],"latencyCycles":7}')],
]);

export function manifestOf(
  files: ReadonlyMap<FileRole, Uint8Array>,
  more: Partial<Manifest> = {},
): Manifest {
  return {
    schemaVersion: 1,
    kind: "firmware",
    engine: "boardwalk",
    boardModel: "icebreaker",
    part: "ice40up5k-sg48",
    planDigest: digestOf("plan"),
    sourceDigest: digestOf("sources"),
    platform: "boardwalk_ice40",
    io: {
      inputs: [{ name: "x", datatype: "FP32", shape: [-1, 2], size: 2, fixedPoint: grid(8) }],
      outputs: [
        {
          name: "y",
          datatype: "FP32",
          shape: [-1, 3],
          size: 3,
          fixedPoint: grid(16),
          activation: "none",
        },
      ],
    },
    core: { inputBytes: 2, outputBytes: 6, bytesPerOutput: 2, latencyCycles: 7 },
    clockHz: 12_000_000,
    baud: 1_000_000,
    maxBatchSize: 1,
    tools: {},
    files: [...files].map(([role, bytes]) => ({
      role,
      name: `${role}.bin`,
      digest: digestOf(bytes),
      sizeBytes: bytes.length,
    })),
    ...more,
  };
}

/** The members of an archive, signed by a key. */
export function membersOf(
  files: ReadonlyMap<FileRole, Uint8Array>,
  manifest: unknown,
  key = someKey(),
): [name: string, content: Uint8Array][] {
  const digest = digestOfJson(manifest);
  const json = (value: unknown) => Buffer.from(canonicalJson(value));
  return [
    [archiveMembers.manifest, json(manifest)],
    [archiveMembers.signature, json({ keyId: key.keyId, digest, signature: key.sign(digest) })],
    [archiveMembers.key, json({ keyId: key.keyId, publicKey: key.publicKey })],
    ...[...files].map(([role, bytes]): [string, Uint8Array] => [archiveMembers.file(role), bytes]),
  ];
}
