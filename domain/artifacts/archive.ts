import { Readable } from "node:stream";
import {
  type Artifact,
  type ArtifactFile,
  archiveMembers,
  canonicalJson,
  type Maker,
  type Scope,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { hexOf } from "@/lib/server/digest";
import { buckets, objectStore } from "@/lib/server/storage";
import { tarEnd, tarHeader, tarPadding, tarSize } from "@/lib/server/tar";
import { getArtifact, openArtifactFile } from "./queries";
import { findSigningKey } from "./signing-keys";

interface Member {
  readonly name: string;
  readonly sizeBytes: number;
  open(): Promise<Iterable<Uint8Array> | AsyncIterable<Uint8Array>>;
}

/**
 * An artifact as one tar file: its manifest, the signature, the public key, and its files by role. An artifact has one
 * archive, the same bytes wherever it is exported. The stream fails at its end if a file is not what the manifest names.
 *
 * @throws {AppError} `ARTIFACT_UNKNOWN`, `ARTIFACT_MISSING`
 */
export async function openArtifactArchive(
  scope: Scope,
  digest: string,
): Promise<{ readonly name: string; readonly stream: Readable; readonly sizeBytes: number }> {
  const artifact = await getArtifact(scope, digest);
  await requireFiles(artifact.manifest.files);
  const members = [
    ...documentsOf(artifact, await makerOf(artifact)),
    ...artifact.manifest.files.map((file) => memberOf(scope, digest, file)),
  ];
  return {
    name: `artifact-${hexOf(digest).slice(0, 16)}.tar`,
    stream: Readable.from(bytesOf(members)),
    sizeBytes: tarSize(members.map(({ sizeBytes }) => sizeBytes)),
  };
}

/** Who made it: another installation, or one of our own keys. */
async function makerOf({ signature, origin }: Artifact): Promise<Maker> {
  if (origin?.maker) return origin.maker;
  const key = await findSigningKey(signature.keyId);
  if (key) return { ...key, signature: signature.signature };
  throw fail("ARTIFACT_MISSING", "The public key that signed this artifact is not known here.", {
    hint: "Start a build worker with the key that signed it.",
  });
}

/** Said before the first byte is sent, while it can still be said. */
async function requireFiles(files: readonly ArtifactFile[]): Promise<void> {
  const store = objectStore();
  for (const { digest, role } of files) {
    if (await store.head(buckets.artifacts, hexOf(digest))) continue;
    throw fail("ARTIFACT_MISSING", `The bytes of the ${role} file are gone from the store.`);
  }
}

function documentsOf(
  { manifest, digest }: Artifact,
  { keyId, publicKey, signature }: Maker,
): Member[] {
  const documents: Readonly<Record<string, unknown>> = {
    [archiveMembers.manifest]: manifest,
    [archiveMembers.signature]: { keyId, digest, signature },
    [archiveMembers.key]: { keyId, publicKey },
  };
  return Object.entries(documents).map(([name, value]) => {
    const bytes = Buffer.from(canonicalJson(value));
    return { name, sizeBytes: bytes.length, open: async () => [bytes] };
  });
}

function memberOf(scope: Scope, digest: string, { role, sizeBytes }: ArtifactFile): Member {
  return {
    name: archiveMembers.file(role),
    sizeBytes,
    open: async () => (await openArtifactFile(scope, digest, role)).stream,
  };
}

async function* bytesOf(members: readonly Member[]): AsyncGenerator<Uint8Array> {
  for (const { name, sizeBytes, open } of members) {
    yield tarHeader(name, sizeBytes);
    yield* await open();
    yield tarPadding(sizeBytes);
  }
  yield tarEnd;
}
