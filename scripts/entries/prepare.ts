import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { migrate } from "@/lib/server/db";
import { digestOf } from "@/lib/server/digest";
import { databaseEnv } from "@/lib/server/env";
import { openProcess } from "@/lib/server/process";
import { buckets, objectStore } from "@/lib/server/storage";

// One-shot before the processes start: brings the database to the newest schema and seeds the sample models.

const samples = "public/samples";

openProcess();
await migrate({ databaseUrl: databaseEnv().DATABASE_URL, folder: "prisma/migrations" });
await seedSamples();
process.exit(0);

/** Puts every file of the samples into their bucket; a file that changed replaces its older self. */
async function seedSamples(): Promise<void> {
  const store = objectStore();
  for (const bucket of Object.values(buckets)) await store.ensureBucket(bucket);
  for (const entry of await readdir(samples, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    for (const name of await readdir(join(samples, entry.name))) {
      const key = `${entry.name}/${name}`;
      const bytes = await readFile(join(samples, key));
      await store.put(buckets.samples, key, bytes, {
        sizeBytes: bytes.length,
        digest: digestOf(bytes),
      });
    }
  }
}
