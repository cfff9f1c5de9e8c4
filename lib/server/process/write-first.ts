import { randomUUID } from "node:crypto";
import { link, mkdir, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file that its owner alone reads, with its folder, unless it is there. Several processes may start at once: the first whole file wins. */
export async function writeFirst(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Not one template: Next's bundler would take it for a pattern, and look for such files in the whole project folder.
  const draft = [path, randomUUID()].join(".");
  const file = await open(draft, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
}
