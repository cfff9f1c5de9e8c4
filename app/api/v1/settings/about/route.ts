import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type About, aboutSchema } from "@/lib/common/contract";
import { schemaVersions } from "@/lib/server/db";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

const packageSchema = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

let about: Promise<About> | undefined;

export const GET = defineHandler({
  name: "settings.about",
  needs: "read",
  summary: "The version of this installation, and the licences of the packages that it is made of.",
  response: aboutSchema,
  handle: () => {
    about ??= readAbout().catch((error: unknown) => {
      about = undefined;
      throw error;
    });
    return about;
  },
});

async function readAbout(): Promise<About> {
  const own = await readPackage([process.cwd(), "package.json"]);
  const packages = await Promise.all(
    Object.keys(own?.dependencies ?? {}).map(async (name) => {
      const found = await readPackage([process.cwd(), "node_modules", name, "package.json"]);
      return { name, version: found?.version ?? null, licence: found?.license ?? null };
    }),
  );
  return {
    version: own?.version ?? "unknown",
    licence: own?.license ?? "unknown",
    node: process.versions.node,
    schema: schemaVersions.newest,
    packages,
  };
}

// Not `path.join`: Next's bundler would take the folder for an asset and walk through it.
async function readPackage(parts: readonly string[]) {
  const text = await readFile(parts.join("/"), "utf8").catch(() => null);
  return text === null ? null : (packageSchema.safeParse(JSON.parse(text)).data ?? null);
}
