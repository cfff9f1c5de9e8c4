import { setTimeout as delay } from "node:timers/promises";
import { checkSchemaVersion } from "@/lib/server/db";
import { databaseEnv } from "@/lib/server/env";

// Ends well once the database has a schema that these processes work with: in a container, `migrate` runs beside them.

const patienceMs = 180_000;
const deadline = Date.now() + patienceMs;

for (;;) {
  try {
    await checkSchemaVersion(databaseEnv().DATABASE_URL);
    process.exit(0);
  } catch (error) {
    if (Date.now() > deadline) throw error;
    await delay(500);
  }
}
