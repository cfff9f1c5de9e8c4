import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { loadEmulation } from "@/board-server/devices/emulation";
import { getArtifact } from "@/domain/artifacts";
import { type Build, vectorsSchema } from "@/lib/common/contract";
import { hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { scope } from "@/tests/support/domain";
import type { WorkerStack } from "./worker-stack";

/** The manifest of a build's artifact, the roles of its files in order, and what is in them. */
export async function filesOf(stack: WorkerStack, { artifactDigest }: Build) {
  const { manifest } = await getArtifact(scope, artifactDigest ?? "");
  const read = async (role: string) => {
    const file = manifest.files.find((each) => each.role === role);
    const { stream } = await stack.store.get(buckets.artifacts, hexOf(file?.digest ?? ""));
    return Buffer.concat(await stream.toArray());
  };
  return { manifest, roles: manifest.files.map(({ role }) => role).sort(), read };
}

/** Boards that run what builds made of emulated firmware; `close` ends them all. */
export class EmulatedBoards {
  readonly #stack: WorkerStack;
  readonly #loaded: { close(): Promise<void> }[] = [];

  constructor(stack: WorkerStack) {
    this.#stack = stack;
  }

  /** The artifact as a board loads it, its recorded rows answered again. */
  async serve(build: Build) {
    expect(build.problem).toBeNull();
    const { manifest, read } = await filesOf(this.#stack, build);
    const path = join(this.#stack.home, build.id);
    writeFileSync(path, await read("emulation"));
    const board = await loadEmulation(manifest, path, { memoryLimitBytes: 2 ** 30 });
    this.#loaded.push(board);
    await board.selfTest(vectorsSchema.parse(JSON.parse((await read("vectors")).toString())));
    return board;
  }

  async close(): Promise<void> {
    await Promise.all(this.#loaded.map((model) => model.close()));
  }
}
