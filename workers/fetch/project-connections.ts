import { connectionsOfProject, openSecret, type StoredConnection } from "@/domain/connections";
import { checkPlace, placeOf } from "@/domain/sources";
import { secretSchemas } from "@/lib/common/contract";
import { AppError, fail, isAppError } from "@/lib/common/errors";
import { toStoreError } from "@/lib/server/db";
import { buildWorkerEnv, connectionKeyFile } from "@/lib/server/env";
import { readerOf } from "./kinds/reader-of";
import { mend, type ReadOptions } from "./kinds/source-reader";
import type { OpenSource } from "./open-web";

/** What finds and opens the connections of a project. */
export interface ProjectConnections {
  list(projectId: string): Promise<readonly StoredConnection[]>;
  /** What opens one; null: nothing is shown. */
  open(connection: StoredConnection): Promise<unknown>;
}

/** Those of the database, opened with the key that this worker holds. */
export const ownConnections: ProjectConnections = {
  list: (projectId) =>
    connectionsOfProject(projectId).catch((error: unknown) => {
      // While the database is away, another try may do.
      throw toStoreError(error);
    }),
  open: (connection) => openSecret(connection, connectionKeyFile(buildWorkerEnv())),
};

/** Of projects without any. */
export const noConnections: ProjectConnections = { list: async () => [], open: async () => null };

/**
 * Opens an address through the connection of its project that leads there; null: none does.
 *
 * @throws {AppError} As `openWeb`; `SEALING_KEY_INVALID`, `SECRET_UNREADABLE` where its secret cannot be opened.
 */
export async function openConnected(
  address: string,
  projectId: string,
  { connections, ...options }: ReadOptions & { readonly connections: ProjectConnections },
): Promise<OpenSource | null> {
  const stored = await connections.list(projectId);
  const leads = placeOf(
    address,
    stored.map((each) => each.leads),
  );
  const connection = leads && stored.find((each) => each.leads === leads);
  if (!connection) return null;
  checkPlace(connection.leads, options.policy);
  return await readWith(connection, await connections.open(connection), (reader, opened) =>
    reader.open(address, opened, options),
  );
}

const testMs = 10_000;

/**
 * Asks where a connection leads for something small and real, for ten seconds at most. Answers what came back.
 *
 * @throws {AppError} As `openConnected`.
 */
export async function testConnection(
  connection: StoredConnection,
  {
    connections,
    ...options
  }: Omit<ReadOptions, "limitBytes"> & { readonly connections: ProjectConnections },
): Promise<string> {
  checkPlace(connection.leads, options.policy);
  const secret = await connections.open(connection);
  const late = AbortSignal.timeout(testMs);
  const signal = AbortSignal.any([options.signal, late]);
  try {
    return await readWith(connection, secret, (reader, opened) =>
      reader.test(opened, { ...options, signal, limitBytes: 0 }),
    );
  } catch (error) {
    if (late.aborted && !options.signal.aborted)
      throw fail("SOURCE_UNAVAILABLE", `Nothing came back within ${testMs / 1000} s.`);
    throw isAppError(error) ? withoutMend(error) : error;
  }
}

/** The same for who tests a connection: they stand before the form that mends it. */
function withoutMend({ code, message, reason, hint = "", field, details }: AppError): AppError {
  const rest = hint.replace(mend, "").trim();
  return new AppError(code, message, {
    reason,
    ...(rest === "" ? {} : { hint: rest }),
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  });
}

type AnyReader = ReturnType<typeof readerOf>;
type AnyOpened = Parameters<AnyReader["test"]>[0];

async function readWith<T>(
  { leads: { name, kind, place } }: StoredConnection,
  secret: unknown,
  read: (reader: AnyReader, opened: AnyOpened) => Promise<T>,
): Promise<T> {
  const known = secret === null ? null : secretSchemas[kind].parse(secret);
  return await read(readerOf(kind) as AnyReader, { name, place, secret: known } as AnyOpened);
}

/** Words that no log of a project's builds may show. What cannot be opened, nobody can show. */
export async function secretsOfProject(
  projectId: string,
  { list, open }: ProjectConnections = ownConnections,
): Promise<string[]> {
  const opened = await Promise.all(
    (await list(projectId)).map((each) =>
      open(each).catch((error: unknown) => {
        if (isAppError(error)) return null;
        throw error;
      }),
    ),
  );
  return opened.flatMap((secret) =>
    typeof secret === "object" && secret !== null
      ? Object.entries(secret).flatMap(([member, value]) =>
          // Whose login it is, is no secret.
          member === "user" || typeof value !== "string" ? [] : [value],
        )
      : [],
  );
}
