import { readFile } from "node:fs/promises";
import { type FileRole, toDigest, type Vectors, vectorsSchema } from "@/lib/common/contract";
import { AppError, fail } from "@/lib/common/errors";
import type { LoadCommand, SigningKey } from "@/lib/server/board-protocol";
import { fault } from "@/lib/server/process";
import { type ArtifactCache, type FileSource, verifyCommand } from "../artifacts";
import { countTestRows, type DeviceLoader, type LoadedModel } from "../devices";

/** What loading an artifact needs: its files, the keys that may sign it, and the devices. */
export interface Loader {
  readonly cache: ArtifactCache;
  readonly source: FileSource;
  readonly keys: () => readonly SigningKey[];
  readonly devices: Readonly<Record<string, DeviceLoader>>;
}

/** A model on its device, and the test that it passed, to be run again. */
export interface TestedModel {
  readonly model: LoadedModel;
  /** Answers how many rows were compared. @throws {AppError} `SELF_TEST_FAILED` */
  test(): Promise<number>;
}

/**
 * Carries out a load up to the moment before serving: check the command, get and check the files, load the device,
 * compare its answers with the recorded ones.
 *
 * @param onTesting Called when the device is loaded and its test begins.
 */
export async function loadModel(
  command: LoadCommand,
  { cache, source, keys, devices }: Loader,
  { signal, onTesting }: { readonly signal: AbortSignal; readonly onTesting: () => Promise<void> },
): Promise<TestedModel> {
  verifyCommand(command, keys());
  const load = Object.hasOwn(devices, command.board.kind) ? devices[command.board.kind] : undefined;
  if (!load) {
    throw fail("DEVICE_MISMATCH", `There is no ${command.board.kind} board on this server.`);
  }
  const { manifest, artifactDigest } = command;
  const file = async (role: FileRole): Promise<string> => {
    const entry = manifest.files.find((candidate) => candidate.role === role);
    if (!entry) throw fail("ARTIFACT_MISMATCH", `The artifact has no file of role ${role}.`);
    return cache.fetch(toDigest(artifactDigest), entry, { source, signal });
  };
  const vectors = manifest.files.some(({ role }) => role === "vectors")
    ? parseVectors(await readFile(await file("vectors"), "utf8"))
    : null;
  const model = await load({ command, file });
  const test = async (): Promise<number> => {
    await model.selfTest(vectors);
    return countTestRows(vectors);
  };
  try {
    fault("board-server.in-load");
    await onTesting();
    await test();
    signal.throwIfAborted();
    return { model, test };
  } catch (error) {
    await model.close();
    throw error;
  }
}

function parseVectors(text: string): Vectors {
  try {
    return vectorsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError("data_loss", "The artifact's vector file cannot be read.", {
      reason: "ARTIFACT_MISMATCH",
      cause,
    });
  }
}
