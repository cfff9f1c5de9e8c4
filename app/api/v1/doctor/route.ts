import { z } from "zod";
import { internalGatewayUrl } from "@/app/gateway-url";
import { listBuildWorkers } from "@/domain/build-workers";
import { type DoctorCheck, doctorSchema } from "@/lib/common/contract";
import { database, schemaVersions } from "@/lib/server/db";
import { portalEnv } from "@/lib/server/env";
import { defineHandler } from "@/lib/server/handler";
import { pingStore } from "@/lib/server/storage";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "doctor",
  needs: "read",
  summary: "What the portal can see of its stores, of the gateway and of the build workers.",
  response: doctorSchema,
  handle: async () => {
    const [buildWorkers, ...checks] = await Promise.all([
      listBuildWorkers().catch(() => null),
      check("postgres", postgresVersion),
      check("schema", async () => `${schemaVersions.oldest} to ${schemaVersions.newest}`),
      check("storage", storageKind),
      check("gateway", gatewayVersion),
    ]);
    return { ok: checks.every(({ ok }) => ok), checks, buildWorkers };
  },
});

async function check(name: string, look: () => Promise<string>): Promise<DoctorCheck> {
  try {
    return { name, ok: true, found: await look() };
  } catch {
    return { name, ok: false, found: null, problem: `${name} does not answer` };
  }
}

async function postgresVersion(): Promise<string> {
  const [row] = await database().$queryRaw<{ version: string }[]>`
    SELECT current_setting('server_version') AS version`;
  return row?.version ?? "unknown";
}

async function storageKind(): Promise<string> {
  await pingStore();
  return portalEnv().S3_ENDPOINT ? "S3" : "files";
}

async function gatewayVersion(): Promise<string> {
  const answer = await fetch(`${internalGatewayUrl()}/v2`, { signal: AbortSignal.timeout(2000) });
  return z.object({ name: z.string(), version: z.string() }).parse(await answer.json()).version;
}
