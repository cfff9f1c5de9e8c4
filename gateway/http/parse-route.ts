import { fail } from "@/lib/common/errors";

/** Routes that ask for no model in particular. */
export type FixedKind =
  | "root"
  | "live"
  | "ready"
  | "server"
  | "models"
  | "statistics"
  | "repositoryIndex"
  | "v1Models";
/** Routes of one model; `version` is null where the path has none. */
export type ModelKind =
  | "modelMetadata"
  | "modelReady"
  | "modelConfig"
  | "modelStatistics"
  | "infer"
  | "repositoryLoad"
  | "repositoryUnload"
  | "v1Model"
  | "v1Predict";

/** What a path asks for. `model` and `version` are checked for their form only. */
export type Route =
  | { readonly kind: FixedKind }
  | { readonly kind: ModelKind; readonly model: string; readonly version: string | null }
  | { readonly kind: "unsupported" };

const fixed: Readonly<Record<string, FixedKind>> = {
  "/": "root",
  "/v2/health/live": "live",
  "/v2/health/ready": "ready",
  "/v2": "server",
  "/v2/models": "models",
  "/v2/models/stats": "statistics",
  "/v2/repository/index": "repositoryIndex",
  "/v1/models": "v1Models",
};

/** Routes of the protocol family that this server knows and does not have. */
const unsupported =
  /^\/v2\/(repository|trace|logging|systemsharedmemory|cudasharedmemory)(\/|$)|^\/v2\/models\/(.*\/)?(generate|generate_stream|trace\/setting)$|^\/v1\/models\/[^/]+(:|%3a)explain$/i;
const modelPath =
  /^\/v2\/models\/([^/]+)(?:\/versions\/([^/]+))?(?:\/(ready|infer|config|stats))?$/;
const repositoryPath = /^\/v2\/repository\/models\/([^/]+)\/(load|unload)$/;
const v1Path = /^\/v1\/models\/([^/]+?)(?:\/versions\/([^/]+?))?((?::|%3[aA])predict)?$/;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const versionPattern = /^[1-9]\d{0,14}$/;

const actions: Readonly<Record<string, ModelKind>> = {
  ready: "modelReady",
  infer: "infer",
  config: "modelConfig",
  stats: "modelStatistics",
  load: "repositoryLoad",
  unload: "repositoryUnload",
};

/**
 * Reads the path of a request target, decoded once; the query is ignored.
 *
 * @returns Null for a path that is none of ours.
 * @throws {AppError} `VERSION_INVALID` for a version that is no positive number.
 */
export function parseRoute(target: string, basePath: string): Route | null {
  const [full = ""] = target.split("?", 1);
  if (!full.startsWith(`${basePath}/`) && full !== basePath) return null;
  const path = full.slice(basePath.length) || "/";
  const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const kind = Object.hasOwn(fixed, trimmed) ? fixed[trimmed] : undefined;
  if (kind) return { kind };
  const route = modelRoute(trimmed);
  if (route !== null && route !== "none") return isCall(route) && trimmed !== path ? null : route;
  return unsupported.test(trimmed) ? { kind: "unsupported" } : null;
}

function modelRoute(path: string): Route | "none" | null {
  const v2 = modelPath.exec(path);
  if (v2) {
    const [, model = "", version, action] = v2;
    return named(action === undefined ? "modelMetadata" : actions[action], model, version);
  }
  const repository = repositoryPath.exec(path);
  if (repository) return named(actions[repository[2] ?? ""], repository[1] ?? "", undefined);
  const v1 = v1Path.exec(path);
  if (v1) return named(v1[3] === undefined ? "v1Model" : "v1Predict", v1[1] ?? "", v1[2]);
  return null;
}

/** Only what is read tolerates a slash at its end. */
function isCall({ kind }: Route): boolean {
  return kind === "infer" || kind === "v1Predict" || kind.startsWith("repository");
}

function named(
  kind: ModelKind | undefined,
  modelText: string,
  versionText: string | undefined,
): Route | "none" {
  const model = decodeOnce(modelText);
  const version = versionText === undefined ? null : decodeOnce(versionText);
  if (kind === undefined || model === null || !namePattern.test(model)) return "none";
  if (version !== null && !versionPattern.test(version)) {
    throw fail("VERSION_INVALID", `the version of model '${model}' is not a positive number`);
  }
  return { kind, model, version };
}

function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
