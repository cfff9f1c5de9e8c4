import { createHash } from "node:crypto";
import {
  type Archive,
  loadReader,
  type ParsedModel,
  readArchivedArtifact,
  readModel,
} from "@/engines";
import {
  archiveKeySchema,
  archiveMembers,
  type Digest,
  type FileRole,
  type Maker,
  type Manifest,
  manifestSchema,
  signatureSchema,
} from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import { isSigned } from "@/lib/server/board-protocol";
import { digestOf, digestOfJson } from "@/lib/server/digest";
import { extractFiles, type Packing } from "./archive";

/** As much as an upload may have: a packed archive must not expand to more. */
const filesMib = 512;
const jsonBytes = 1024 * 1024;

const documents = [archiveMembers.manifest, archiveMembers.signature, archiveMembers.key] as const;

/** Whether an archive with these members is one of an artifact, be it whole or not. */
export const holdsArtifact = (names: readonly string[]): boolean =>
  names.includes(archiveMembers.manifest) &&
  names.some((name) => name === archiveMembers.signature);

/**
 * Reads the archive of an artifact, whose members were judged: every byte must be the one that the signed manifest names.
 *
 * @throws {AppError} `ARTIFACT_INVALID`, `ARTIFACT_SIGNATURE_INVALID`, and those of `readArchivedArtifact`.
 */
export async function readArtifactArchive(
  archive: Pick<ParsedModel, "bytes" | "digest">,
  packing: Packing,
  names: readonly string[],
): Promise<ParsedModel> {
  const members = await extractFiles(archive.bytes, packing, {
    wanted: new Set(names.filter((name) => !name.endsWith("/"))),
    onSize(sizeBytes) {
      if (sizeBytes > filesMib * 2 ** 20) throw wrong(`its files have more than ${filesMib} MiB`);
    },
  });
  const { manifest, digest } = manifestOf(members);
  const maker = makerOf(members, digest);
  const files = filesOf(members, manifest);
  const read: Archive = { digest, manifest, maker, files };
  const firmware = readArchivedArtifact(read);
  await judgeModel(files.get("model"));
  for (const role of ["simulation", "simulation-shell"] as const) {
    await judgeSimulation(role, files.get(role));
  }
  return { ...archive, format: "boardwalk-artifact", graph: null, savedModel: null, firmware };
}

function manifestOf(members: ReadonlyMap<string, Uint8Array>) {
  const value = documentOf(members, archiveMembers.manifest);
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrong(
      `its manifest is wrong at ${issue?.path.join(".") || "its root"}: ${issue?.message}`,
    );
  }
  const digest = digestOfJson(value);
  // What is left out on the way would make another artifact of it.
  if (digestOfJson(parsed.data) !== digest) {
    throw wrong("its manifest has members that this version does not know");
  }
  return { manifest: parsed.data, digest };
}

function makerOf(members: ReadonlyMap<string, Uint8Array>, digest: Digest): Maker {
  const signature = signatureSchema.safeParse(documentOf(members, archiveMembers.signature));
  const key = archiveKeySchema.safeParse(documentOf(members, archiveMembers.key));
  if (!signature.success) throw unsigned("its signature.json is no signature");
  if (!key.success) throw unsigned("its key.json is no public key");
  const { keyId, publicKey } = key.data;
  if (keyId !== idOfKey(publicKey) || keyId !== signature.data.keyId) {
    throw unsigned("the key in it is not the one that its signature names");
  }
  if (signature.data.digest !== digest) throw unsigned("another manifest was signed");
  if (!isSigned(digest, signature.data.signature, publicKey)) {
    throw unsigned("the signature does not hold");
  }
  return { keyId, publicKey, signature: signature.data.signature };
}

/** As installations name their keys. */
const idOfKey = (publicKey: string): string =>
  createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("hex").slice(0, 16);

function filesOf(
  members: ReadonlyMap<string, Uint8Array>,
  manifest: Manifest,
): Map<FileRole, Uint8Array> {
  const files = new Map<FileRole, Uint8Array>();
  for (const { role, digest, sizeBytes } of manifest.files) {
    const name = archiveMembers.file(role);
    const bytes = members.get(name);
    if (!bytes) throw wrong(`${name}, which its manifest names, is missing`);
    if (bytes.length !== sizeBytes) {
      throw wrong(`${name} has ${bytes.length} bytes, its manifest says ${sizeBytes}`);
    }
    if (digestOf(bytes) !== digest) throw wrong(`${name} is not what its manifest says`);
    files.set(role, bytes);
  }
  const expected = new Set<string>([...documents, ...[...files.keys()].map(archiveMembers.file)]);
  const extra = [...members.keys()].find((name) => !expected.has(name));
  if (extra !== undefined)
    throw wrong(`it holds ${shown(extra)}, which its manifest does not name`);
  return files;
}

function documentOf(members: ReadonlyMap<string, Uint8Array>, name: string): unknown {
  const bytes = members.get(name);
  if (!bytes) throw wrong(`${name} is missing`);
  if (bytes.length > jsonBytes) throw wrong(`${name} has more than 1 MiB`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw wrong(`${name} is no JSON`);
  }
}

/** A model is judged as if it had come alone: the board server runs the very bytes. */
async function judgeModel(bytes: Uint8Array | undefined): Promise<void> {
  if (!bytes) return;
  await loadReader("onnx");
  readModel(bytes, digestOf(bytes));
}

/** Board servers and browsers run it: it must be WebAssembly, and reach nothing outside of itself. */
async function judgeSimulation(role: FileRole, bytes: Uint8Array | undefined): Promise<void> {
  if (!bytes) return;
  const module = await WebAssembly.compile(Uint8Array.from(bytes)).catch(() => null);
  if (!module) throw wrong(`its ${role} is no WebAssembly`);
  const [imported] = WebAssembly.Module.imports(module);
  if (imported) throw wrong(`its ${role} wants ${shown(`${imported.module}.${imported.name}`)}`);
}

const shown = (name: string): string => showText(cutText(name, 80));

function wrong(what: string): AppError {
  return fail("ARTIFACT_INVALID", `The archive is no artifact that can be taken: ${what}.`, {
    field: "file",
    hint: "Export it again where it was made. Nothing of it was kept.",
  });
}

function unsigned(what: string): AppError {
  return fail("ARTIFACT_SIGNATURE_INVALID", `The archive's signature cannot be trusted: ${what}.`, {
    field: "file",
    hint: "Export it again where it was made. Nothing of it was kept.",
  });
}
