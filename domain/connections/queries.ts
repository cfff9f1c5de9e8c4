import { placeOf, prefixesOf } from "@/domain/sources";
import {
  idPrefixes,
  type ProjectConnection,
  type ProjectPlace,
  projectConnectionSchema,
  projectPlaceSchema,
  type Scope,
} from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, parseId, toId } from "@/lib/server/db";
import type { StoredConnection } from "./types";

/** Of endpoints that a connection is used by, so many are named. */
const mostNames = 20;

interface ConnectionRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly place: unknown;
  readonly secret: string | null;
  readonly secretSetAt: Date | null;
  readonly version: number;
  readonly testedAt: Date | null;
  readonly testSaid: string | null;
  readonly testReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** All connections of a project, by name, without their secrets. */
export async function listConnections(scope: Scope): Promise<ProjectConnection[]> {
  const rows = await rowsOf(scope);
  const users = await usersOf(scope, rows.map(leadsOf));
  return rows.map((row) => toConnection(row, users.get(row.name) ?? []));
}

/** @throws {AppError} `NOT_FOUND` */
export async function getConnection(scope: Scope, id: string): Promise<ProjectConnection> {
  const rows = await rowsOf(scope);
  const uuid = connectionUuid(id);
  const row = rows.find((each) => each.id === uuid);
  if (!row) throw notFound("projectConnection", id);
  const users = await usersOf(scope, rows.map(leadsOf));
  return toConnection(row, users.get(row.name) ?? []);
}

/** Connections of a project as they are kept, for who resolves its addresses. */
export async function connectionsOfProject(projectId: string): Promise<StoredConnection[]> {
  return (await rowsOf(projectId)).map(toStored);
}

/** @throws {AppError} `NOT_FOUND` */
export async function getStoredConnection(scope: Scope, id: string): Promise<StoredConnection> {
  const row = await database().connection.findFirst({
    where: { id: connectionUuid(id), projectId: scope },
  });
  if (!row) throw notFound("projectConnection", id);
  return toStored(row);
}

/** The UUID within an id. @throws {AppError} `NOT_FOUND` where it is no id of a connection. */
export function connectionUuid(id: string): string {
  const uuid = parseId(idPrefixes.connection, id);
  if (uuid === null) throw notFound("projectConnection", id);
  return uuid;
}

const rowsOf = (projectId: string): Promise<ConnectionRow[]> =>
  database().connection.findMany({ where: { projectId }, orderBy: { name: "asc" } });

/** Where a row leads. */
const leadsOf = ({
  name,
  kind,
  place,
}: Pick<ConnectionRow, "name" | "kind" | "place">): ProjectPlace =>
  projectPlaceSchema.parse({ name, kind, place });

/** A connection as it is kept, of its row. */
export const toStored = (
  row: Pick<ConnectionRow, "id" | "name" | "kind" | "place" | "secret" | "version">,
): StoredConnection => ({
  id: row.id,
  leads: leadsOf(row),
  secret: row.secret,
  version: row.version,
});

function toConnection(row: ConnectionRow, users: readonly string[]): ProjectConnection {
  const { testedAt, testSaid, testReason } = row;
  return projectConnectionSchema.parse({
    ...leadsOf(row),
    id: toId(idPrefixes.connection, row.id),
    prefixes: prefixesOf(leadsOf(row)),
    secretSetAt: row.secretSetAt?.toISOString() ?? null,
    lastTest:
      testedAt === null
        ? null
        : {
            at: testedAt.toISOString(),
            ok: testReason === null,
            said: testSaid ?? "",
            reason: testReason,
          },
    usedBy: { count: users.length, names: users.slice(0, mostNames) },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
}

/** Endpoints by the name of the connection that their newest model comes through. */
async function usersOf(
  scope: Scope,
  places: readonly ProjectPlace[],
): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>();
  if (places.length === 0) return users;
  const endpoints = await database().$queryRaw<{ name: string; url: string }[]>`
    SELECT DISTINCT ON (e.name) e.name, r.model_url AS url FROM endpoint e JOIN revision r ON r.endpoint_id = e.id
    WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL ORDER BY e.name, r.turn DESC`;
  for (const { name, url } of endpoints) {
    const place = placeOf(url, places);
    if (place) users.set(place.name, [...(users.get(place.name) ?? []), name]);
  }
  return users;
}
