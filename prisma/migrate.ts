import path from "node:path";
import { migrate } from "@/lib/server/db";
import { databaseEnv } from "@/lib/server/env";

/** The one-shot that brings the database of `DATABASE_URL` to the newest schema; run from the root of the repository. */
const { applied, version } = await migrate({
  databaseUrl: databaseEnv().DATABASE_URL,
  folder: path.resolve("prisma/migrations"),
});
process.stdout.write(`${JSON.stringify({ applied, version })}\n`);
