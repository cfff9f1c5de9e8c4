import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BackupFile, restoreBackup } from "@/domain/backups";
import { fail } from "@/lib/common/errors";
import { backupEnv } from "@/lib/server/env";
import { openProcess } from "@/lib/server/process";
import { objectStore } from "@/lib/server/storage";
import { endBadly, size, speed, watched } from "@/scripts/lib/backup-words";
import { line } from "@/scripts/lib/say.mjs";

// Puts what a backup holds into empty stores and a data folder.

openProcess();
main().catch(endBadly);

async function main(): Promise<void> {
  const started = Date.now();
  const [file = ""] = process.argv.slice(2);
  const env = backupEnv();
  const { manifest, sizeBytes } = await watched("Backup", (onProgress) =>
    restoreBackup(file, {
      databaseUrl: env.DATABASE_URL,
      migrations: "prisma/migrations",
      store: objectStore(),
      keepFile: (each) => keep(env.BOARDWALK_HOME, each),
      onProgress,
    }),
  );
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
  line(
    `\n${rows} rows and ${manifest.objects} objects, ${size(sizeBytes)}, ${speed(sizeBytes, Date.now() - started)}.`,
  );
  for (const { bucket, key, fault } of manifest.flawed)
    line(`  ${bucket}/${key} was ${fault} when the backup was written.`);
  process.exit(0);
}

async function keep(home: string, { name, bytes }: BackupFile): Promise<void> {
  if (!/^(keys|board-server|run)\/[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
    throw fail("BACKUP_INVALID", `The file is damaged, or is no backup: ${name} has no place.`);
  const target = join(home, name);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, bytes, { mode: 0o600 });
}
