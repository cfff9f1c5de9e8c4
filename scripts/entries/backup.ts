import { rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type BackupFile, draftOf, openSnapshot, writeBackup } from "@/domain/backups";
import { backupEnv } from "@/lib/server/env";
import { openProcess } from "@/lib/server/process";
import { objectStore } from "@/lib/server/storage";
import { endBadly, size, speed, watched } from "@/scripts/lib/backup-words";
import { line } from "@/scripts/lib/say.mjs";

// Writes the installation to the file that is named. Standard input has the settings that move with it.

openProcess();
const [file = ""] = process.argv.slice(2);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    rmSync(draftOf(file), { force: true });
    process.exit(130);
  });
}
main().catch(endBadly);

async function main(): Promise<void> {
  const started = Date.now();
  const env = backupEnv();
  const settings = await text(process.stdin);
  const home = (...parts: string[]) => join(env.BOARDWALK_HOME, ...parts);
  // Before the rows: a board server refuses what is older than what it remembers.
  const boardServer = await filesIn(
    "board-server",
    env.BOARD_SERVER_STATE_DIR ?? home("board-server"),
  );
  const snapshot = await openSnapshot(env.DATABASE_URL);
  const made = await watched("Backup", async (onProgress) => {
    try {
      // After the rows: a key is there before a row names it.
      const keys = await filesIn("keys", home("keys"));
      const moving = { name: "run/moved-settings.json", bytes: Buffer.from(settings) };
      const files = [...boardServer, ...keys, moving];
      return await writeBackup(file, { snapshot, store: objectStore(), files, onProgress });
    } finally {
      await snapshot.close();
    }
  });
  line(
    `\n${file}: ${made.rows} rows and ${made.objects} objects, ${size(made.sizeBytes)}, ${speed(made.sizeBytes, Date.now() - started)}.`,
  );
  line(
    "It holds the keys and secrets of this installation: you alone can read it (mode 0600), and so it should be wherever you keep it.",
  );
  if (made.flawed.length === 0) process.exit(0);
  process.stderr.write(
    `\nThe backup is written, but the object store lacks what rows name; keep your older backups.\n${made.flawed
      .map(({ bucket, key, fault }) => `  ${bucket}/${key} is ${fault}`)
      .join("\n")}\n`,
  );
  process.exit(1);
}

/** The plain files of a folder, such as keys; folders in it are caches. */
async function filesIn(name: string, folder: string): Promise<BackupFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".part"))
    .map((entry) => entry.name)
    .sort();
  return await Promise.all(
    names.map(async (each) => ({
      name: `${name}/${each}`,
      bytes: await readFile(join(folder, each)),
    })),
  );
}
