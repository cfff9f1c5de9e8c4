import { readFile, rm } from "node:fs/promises";
import {
  parseSourceUrl,
  parseStoreAddress,
  type Resolve,
  refuseUnconnected,
  type SourcePolicy,
  type SourceUrl,
  sourcesOf,
  systemResolve,
} from "@/domain/sources";
import type { Digest, SourceConnection } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { buildWorkerEnv, type SourceCredential } from "@/lib/server/env";
import { damaged, type ObjectStore, uploadsBucket } from "@/lib/server/storage";
import { authorizationOf } from "./kinds/authorization-of";
import { openStore } from "./open-store";
import { type OpenSource, openWeb, tooLarge, unavailable } from "./open-web";
import {
  noConnections,
  openConnected,
  ownConnections,
  type ProjectConnections,
} from "./project-connections";
import { defaultPace, type Pace, receive } from "./receive";
import { withRetries } from "./retry";

export interface FetchOptions {
  /** Whose uploads and connections may be read; null: nobody's. */
  readonly projectId: string | null;
  readonly storage: ObjectStore;
  /** A new file; removed again if the fetch fails. */
  readonly path: string;
  readonly limitBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytes: number, totalBytes: number | null) => void) | undefined;
  /** How long to go on trying while the source or the store is away. */
  readonly retryForMs?: number | undefined;
  /** For tests; default: the environment and the system's resolver. */
  readonly settings?: SourceSettings | undefined;
}

/** What may be fetched from where, and how patiently. */
export interface SourceSettings {
  readonly policy: SourcePolicy;
  readonly connections: readonly SourceConnection[];
  /** What opens each connection, by its name. */
  readonly credentials: Readonly<Record<string, SourceCredential>>;
  readonly ca: string | undefined;
  readonly resolve: Resolve;
  readonly pace: Pace;
  readonly firstWaitMs: number;
  /** Hosts that connections of projects may lead to besides public ones; left out: none. */
  readonly listed?: SourcePolicy;
  /** Those of projects, which come before those of the installation; left out: there are none. */
  readonly ofProjects?: ProjectConnections;
}

/** A model that was fetched, hashed while it came. */
export interface FetchedSource {
  readonly path: string;
  readonly sizeBytes: number;
  readonly digest: Digest;
}

/** Largest model file. */
const maxSourceBytes = 512 * 1024 * 1024;
const defaultRetryMs = 300_000;
const longestFetchMs = 30 * 60_000;

/**
 * Fetches a model from the project's connections, from `s3://` (samples, the project's own uploads, buckets of connections) or
 * `https://`, streamed to a file.
 *
 * @throws {AppError} `URL_NOT_ALLOWED`, `SOURCE_NOT_FOUND`, `SOURCE_NOT_ALLOWED`, `SOURCE_LOGIN_REFUSED`,
 * `SOURCE_ACCESS_DENIED`, `SOURCE_UNAVAILABLE`, `SOURCE_TOO_LARGE`, `SOURCE_TOO_SLOW`, `SOURCE_TRUNCATED`; `OBJECT_DAMAGED` for an upload that is not what was stored; what the signal was aborted with.
 */
export async function fetchSource(url: string, options: FetchOptions): Promise<FetchedSource> {
  const { path, limitBytes = maxSourceBytes, onProgress } = options;
  const settings = options.settings ?? (await sourceSettings());
  return await withLongest(options.signal, async (signal) => {
    const opening = { ...options, limitBytes, signal, settings };
    const forMs = options.retryForMs ?? defaultRetryMs;
    return await withRetries(
      async () => {
        const source = await openSource(url, opening);
        try {
          const received = await receive(source, {
            path,
            limitBytes,
            signal,
            pace: settings.pace,
            onProgress,
          });
          if (source.digest !== undefined && source.digest !== received.digest) {
            throw source.otherBytes?.() ?? notPromised(source.digest, received.digest);
          }
          return { path, ...received };
        } catch (error) {
          await rm(path, { force: true });
          throw error;
        } finally {
          await source.close();
        }
      },
      { forMs, signal, firstWaitMs: settings.firstWaitMs },
    );
  });
}

const notPromised = (expected: Digest, got: Digest) =>
  fail("SOURCE_DIGEST_MISMATCH", "The source sent other bytes than it promised.", {
    details: { expected, got },
  });

/** Fetches under a signal that fires with the caller's, or when any fetch is too long; nothing of it stays once it has ended. */
async function withLongest<T>(
  caller: AbortSignal | undefined,
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const longest = new AbortController();
  const tooSlow = () =>
    longest.abort(fail("SOURCE_TOO_SLOW", "The source sends the file too slowly."));
  const timer = setTimeout(tooSlow, longestFetchMs);
  try {
    return await fetch(caller ? AbortSignal.any([longest.signal, caller]) : longest.signal);
  } finally {
    clearTimeout(timer);
  }
}

interface OpenOptions extends FetchOptions {
  readonly limitBytes: number;
  readonly signal: AbortSignal;
  readonly settings: SourceSettings;
}

/** Judges the URL and opens it, through the first connection that leads there: the project's, then the installation's. */
async function openSource(url: string, options: OpenOptions): Promise<OpenSource> {
  const { settings, signal, limitBytes, projectId } = options;
  const { connections, credentials, ca, resolve } = settings;
  const { ofProjects = noConnections, listed = { allowedHosts: [] } } = settings;
  const reading = { ca, resolve, signal, limitBytes, policy: listed, connections: ofProjects };
  const theirs = projectId === null ? null : await openConnected(url, projectId, reading);
  if (theirs) return theirs;
  refuseUnconnected(url, "model.url");
  if (/^s3:/i.test(url)) {
    const place = parseStoreAddress(url, { projectId: projectId ?? "", connections });
    const { connection } = place;
    if (!connection) return await openStored(place, options);
    const credential = credentials[connection.name];
    return await openStore({ ...place, connection }, { credential, ca, signal, limitBytes });
  }
  const source = parseSourceUrl(url, settings.policy);
  const authorization = authorizationFor(source, settings);
  return await openWeb(source, { ...settings, signal, limitBytes, authorization });
}

/** What a host that is a connection is shown: a bearer token, or user and password as RFC 7617 has them. */
function authorizationFor(
  { url, port }: SourceUrl,
  { connections, credentials }: SourceSettings,
): string | undefined {
  const host = `${url.hostname}:${port}`;
  const connection = connections.find((each) => each.kind === "https" && each.host === host);
  const credential = connection && credentials[connection.name];
  if (!credential || "secretKey" in credential) return undefined;
  return authorizationOf(credential);
}

/** Uploads lie under their digest, so what comes can be held against that. */
const isUpload = (bucket: string, key: string): boolean =>
  bucket.startsWith(uploadsBucket("")) && /^[0-9a-f]{64}$/.test(key);

async function openStored(
  { bucket, key }: { readonly bucket: string; readonly key: string },
  { storage, limitBytes }: OpenOptions,
): Promise<OpenSource> {
  try {
    const { stream, sizeBytes } = await storage.get(bucket, key);
    const close = async () => void stream.destroy();
    if (sizeBytes > limitBytes) {
      await close();
      throw tooLarge(limitBytes);
    }
    return {
      stream,
      sizeBytes,
      close,
      ...(isUpload(bucket, key)
        ? { digest: `sha256:${key}` as const, otherBytes: () => damaged(key) }
        : {}),
    };
  } catch (error) {
    if (!isAppError(error)) throw unavailable("The object store does not answer.", error);
    if (error.reason === "NOT_FOUND") {
      throw fail("SOURCE_NOT_FOUND", `There is no object ${key} in ${bucket}.`, {
        field: "model.url",
      });
    }
    if (error.reason === "STORE_UNAVAILABLE") {
      throw unavailable("The object store does not answer.", error);
    }
    throw error;
  }
}

/** `host:port` of a URL, as settings list it. */
function hostWithPort(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** What may be fetched as this worker is set up. The store of a build server was named by the operator, too. */
export async function sourceSettings(): Promise<Required<SourceSettings>> {
  const env = buildWorkerEnv();
  const { SOURCE_CA_FILE, BOND_BUILD_STORE } = env;
  const { allowedHosts, connections } = sourcesOf(env);
  const allowed = BOND_BUILD_STORE === undefined ? [] : [hostWithPort(BOND_BUILD_STORE)];
  return {
    policy: { allowedHosts: [...allowedHosts, ...allowed] },
    connections,
    credentials: env.SOURCE_CREDENTIALS,
    ca: SOURCE_CA_FILE === undefined ? undefined : await readFile(SOURCE_CA_FILE, "utf8"),
    resolve: systemResolve,
    pace: defaultPace,
    firstWaitMs: 500,
    listed: { allowedHosts: env.SOURCE_ALLOWED_HOSTS },
    ofProjects: ownConnections,
  };
}
