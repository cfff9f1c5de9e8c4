import { errorBodySchema } from "@/lib/common/contract";
import type { FileToFetch } from "./messages";
import { Problem } from "./problem";

export interface FetchOptions {
  /** Past the browser's cache. */
  readonly afresh?: boolean;
  readonly onProgress?: (receivedBytes: number) => void;
}

/**
 * Fetches a file of an artifact and holds its bytes against the digest that the manifest gives.
 *
 * @throws {Problem} What the portal said; `STORE_UNAVAILABLE` when it cannot be reached; `ARTIFACT_MISMATCH` for other bytes.
 */
export async function fetchVerified(
  { url, file }: FileToFetch,
  { afresh = false, onProgress }: FetchOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, { cache: afresh ? "reload" : "default" }).catch((cause) => {
    throw new Problem("unreachable", {}, cause);
  });
  if (!response.ok) throw await refusal(response, file.role);
  const bytes = await readAll(response, file.sizeBytes, onProgress).catch((cause) => {
    throw new Problem("brokenOff", { role: file.role }, cause);
  });
  if ((await sha256Of(bytes)) === file.digest) return bytes;
  throw new Problem("otherDigest", { role: file.role });
}

/** Whether digests can be checked: a browser offers its cryptography on https and on localhost only. */
export const canCheckDigests = (): boolean => globalThis.crypto?.subtle !== undefined;

/** @throws {Problem} `ARTIFACT_MISMATCH` where digests cannot be checked. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (!canCheckDigests()) throw new Problem("uncheckable");
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

async function readAll(
  response: Response,
  sizeBytes: number,
  onProgress: FetchOptions["onProgress"],
): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const bytes = new Uint8Array(sizeBytes);
  let received = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return received === sizeBytes ? bytes : bytes.slice(0, received);
    // More than was promised cannot be right: the digest of what fits will say so.
    const part = value.subarray(0, sizeBytes - received);
    bytes.set(part, received);
    received += part.length;
    onProgress?.(received);
    if (part.length < value.length) {
      await reader.cancel();
      return bytes.slice(0, 0);
    }
  }
}

async function refusal(response: Response, role: string): Promise<Problem> {
  const body = errorBodySchema.safeParse(await response.json().catch(() => null));
  const said = body.success ? body.data.error.message : `HTTP ${response.status}`;
  return new Problem(response.status === 404 ? "missing" : "refused", { role, said });
}
