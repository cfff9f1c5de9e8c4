import type { LookupFunction } from "node:net";
import type { StoredPlace } from "@/domain/sources";
import type { StoreConnection } from "@/lib/common/contract";
import { type AppError, fail, isAppError } from "@/lib/common/errors";
import type { SourceCredential } from "@/lib/server/env";
import { refusalOf, S3Store } from "@/lib/server/storage";
import { type OpenSource, tooLarge, unavailable } from "./open-web";

interface StoreOptions {
  readonly credential: SourceCredential | undefined;
  /** PEM of a further certificate authority. */
  readonly ca?: string | undefined;
  /** Finds the addresses of its host; left out: the system does. */
  readonly lookup?: LookupFunction | undefined;
  readonly signal: AbortSignal;
  readonly limitBytes: number;
  /** What mends a connection that does not open; left out: the environment does. */
  readonly mend?: string | undefined;
}

/** An object of a store of the operator's own. */
export interface ConnectedPlace extends Omit<StoredPlace, "connection"> {
  readonly connection: Omit<StoreConnection, "buckets">;
}

/**
 * Opens an object of a store of the operator's own, with the keys of its connection.
 *
 * @throws {AppError} `SOURCE_NOT_FOUND`, `SOURCE_LOGIN_REFUSED`, `SOURCE_ACCESS_DENIED`, `SOURCE_TOO_LARGE`, or
 * `SOURCE_UNAVAILABLE`, which alone is worth another try. None of them carries what the store said: it repeats keys.
 */
export async function openStore(place: ConnectedPlace, options: StoreOptions): Promise<OpenSource> {
  const { signal, limitBytes } = options;
  const store = storeOf(place, options);
  const close = async () => store.close();
  try {
    const { stream, sizeBytes } = await store.get(place.bucket, place.key, undefined, signal);
    if (sizeBytes > limitBytes) {
      stream.destroy();
      throw tooLarge(limitBytes);
    }
    return { stream, sizeBytes, close };
  } catch (error) {
    await close();
    if (signal.aborted) throw signal.reason;
    throw toSourceError(error, place, options.mend);
  }
}

/** Asks a bucket of a store for one name. Answers how many it gave. @throws {AppError} As `openStore`. */
export async function peekStore(
  place: Omit<ConnectedPlace, "key">,
  options: Omit<StoreOptions, "limitBytes">,
): Promise<number> {
  const { signal, mend } = options;
  const store = storeOf({ ...place, key: "" }, options);
  try {
    return await store.peek(place.bucket, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toSourceError(error, { ...place, key: "" }, mend);
  } finally {
    store.close();
  }
}

function storeOf(
  place: ConnectedPlace,
  { credential, ca, lookup, mend }: Omit<StoreOptions, "limitBytes">,
): S3Store {
  if (!credential || !("secretKey" in credential))
    throw loginRefused(place, "has no keys for it", mend);
  const { endpoint, region } = place.connection;
  return new S3Store({ endpoint, region, ca, lookup, ...credential });
}

/** What the key of a place may not do there; of a place without one, list it. */
const deed = ({ bucket, key }: ConnectedPlace): string =>
  key === "" ? `list the bucket ${bucket}` : `read ${key} in ${bucket}`;

const passed: ReadonlySet<string> = new Set(["SOURCE_TOO_LARGE", "SOURCE_NOT_ALLOWED"]);

function toSourceError(error: unknown, place: ConnectedPlace, mend: string | undefined): unknown {
  const { bucket, key, connection } = place;
  const { name, endpoint } = connection;
  const field = "model.url";
  if (isAppError(error) && passed.has(error.reason)) return error;
  const { code, status } = refusalOf(error);
  switch (code) {
    case "NoSuchBucket":
      return fail(
        "SOURCE_NOT_FOUND",
        `The store of the connection ${name} has no bucket ${bucket}.`,
        {
          field,
          hint: `Compare the address with the buckets of that store. ${mend ?? "An administrator can correct SOURCE_CONNECTIONS."}`,
        },
      );
    case "InvalidAccessKeyId":
      return loginRefused(place, "does not know the access key that Boardwalk shows it", mend);
    case "SignatureDoesNotMatch":
      return loginRefused(place, "says that the secret key of its connection is wrong", mend);
    case "RequestTimeTooSkewed":
      return loginRefused(
        place,
        "has another time than the build worker",
        "Set both clocks right.",
      );
  }
  if (status === 404) {
    return fail(
      "SOURCE_NOT_FOUND",
      `There is no object ${key} in the bucket ${bucket} of ${name}.`,
      {
        field,
        hint: "Capitals count. List the bucket, and correct the address.",
      },
    );
  }
  if (status === 401 || status === 403) {
    return fail(
      "SOURCE_ACCESS_DENIED",
      `The store of ${name} does not let Boardwalk ${deed(place)}.`,
      {
        field,
        hint: "Give the key of the connection read access to the bucket. Stores also say this of objects that are not there.",
      },
    );
  }
  if (status === undefined || status === 429 || status >= 500) {
    const why = isUntrusted(error)
      ? "its certificate is of no known authority; SOURCE_CA_FILE can name one"
      : "it does not answer";
    return unavailable(`The store of ${name} at ${endpoint} cannot be read: ${why}.`);
  }
  return fail(
    "SOURCE_NOT_FOUND",
    `The store of ${name} answered ${status}${code ? ` (${code})` : ""}.`,
    {
      field,
      hint: `Compare endpoint and region of the connection with those of the store. ${mend ?? ""}`.trim(),
    },
  );
}

function loginRefused({ connection }: ConnectedPlace, why: string, hint?: string): AppError {
  return fail("SOURCE_LOGIN_REFUSED", `The store of the connection ${connection.name} ${why}.`, {
    field: "model.url",
    hint: hint ?? "Have an administrator correct SOURCE_CREDENTIALS of the build worker.",
  });
}

/** Of an error and its causes, whether TLS did not trust the other side. */
function isUntrusted(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return /CERT|VERIFY|ISSUER|ALTNAME/.test(code) || isUntrusted(error.cause);
}
