import type { BuildWorker } from "@/lib/common/contract";
import { database } from "@/lib/server/db";

/** Notes that a build worker is up, now by the database's clock, and how it shuts its tools in, and which it has and lacks. */
export async function reportBuildWorker({
  name,
  host,
  sandbox,
  mend,
  missing,
  tools,
  slots,
}: Omit<BuildWorker, "seenAt">): Promise<void> {
  await database().$executeRaw`
    INSERT INTO build_worker (name, host, sandbox, mend, missing, tools, slots)
    VALUES (${name}, ${host}, ${sandbox}, ${mend}, ${JSON.stringify(missing)}::jsonb, ${JSON.stringify(tools)}::jsonb,
      ${slots})
    ON CONFLICT (name) DO UPDATE SET
      host = excluded.host, sandbox = excluded.sandbox, mend = excluded.mend, missing = excluded.missing,
      tools = excluded.tools, slots = excluded.slots, seen_at = now()`;
}

/** Forgets a build worker that stops. */
export async function withdrawBuildWorker(name: string): Promise<void> {
  await database().$executeRaw`DELETE FROM build_worker WHERE name = ${name}`;
}
