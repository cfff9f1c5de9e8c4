import { type ModelSources, sourcesOf } from "@/domain/sources";
import { portalEnv } from "@/lib/server/env";

/** Where models may come from, as the portal is set up. */
export const modelSources = (): ModelSources => sourcesOf(portalEnv());
