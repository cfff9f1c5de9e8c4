import { connectionsOfProject } from "@/domain/connections";
import { type ModelSources, sourcesOf } from "@/domain/sources";
import type { Scope } from "@/lib/common/contract";
import { portalEnv } from "@/lib/server/env";

/** Where models of a project may come from, as it and the portal are set up. */
export async function modelSources(scope: Scope): Promise<ModelSources> {
  const connections = await connectionsOfProject(scope);
  return { ...sourcesOf(portalEnv()), ofProject: connections.map(({ leads }) => leads) };
}
