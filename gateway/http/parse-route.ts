import { fail } from "@/lib/common/errors";

/** What a path asks for. `model` and `version` are checked for their form only. */
export type Route =
  | { readonly kind: "root" | "live" | "ready" | "server" | "models" }
  | {
      readonly kind: "modelMetadata" | "modelReady" | "infer";
      readonly model: string;
      readonly version: string | null;
    }
  | { readonly kind: "unsupported" };

const fixed: Readonly<Record<string, Route>> = {
  "/": { kind: "root" },
  "/v2/health/live": { kind: "live" },
  "/v2/health/ready": { kind: "ready" },
  "/v2": { kind: "server" },
  "/v2/models": { kind: "models" },
};

/** Routes of the protocol family that this server knows and does not have. */
const unsupported =
  /^\/v2\/(repository|trace|logging|systemsharedmemory|cudasharedmemory)(\/|$)|^\/v2\/models\/(.*\/)?(stats|config|generate|generate_stream|trace\/setting)$|^\/v1(\/|$)/;
const modelPath = /^\/v2\/models\/([^/]+)(?:\/versions\/([^/]+))?(?:\/(ready|infer))?$/;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const versionPattern = /^[1-9]\d{0,14}$/;

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
  const known = Object.hasOwn(fixed, trimmed) ? fixed[trimmed] : undefined;
  if (known) return known;
  if (unsupported.test(trimmed)) return { kind: "unsupported" };
  const match = modelPath.exec(trimmed);
  if (!match) return null;
  const [, modelText = "", versionText, action] = match;
  if (action === "infer" && trimmed !== path) return null;
  const model = decodeOnce(modelText);
  const version = versionText === undefined ? null : decodeOnce(versionText);
  if (model === null || !namePattern.test(model)) return null;
  if (version !== null && !versionPattern.test(version)) {
    throw fail("VERSION_INVALID", `the version of model '${model}' is not a positive number`);
  }
  const kind = action === "infer" ? "infer" : action === "ready" ? "modelReady" : "modelMetadata";
  return { kind, model, version };
}

function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
