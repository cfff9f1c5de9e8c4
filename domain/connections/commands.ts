import { checkPlace, claimsOf, originsOf, type SourcePolicy } from "@/domain/sources";
import {
  type ConnectionKind,
  idPrefixes,
  mostProjectConnections,
  type NewProjectConnection,
  openKinds,
  type ProjectConnection,
  type ProjectConnectionChange,
  placeSchemas,
  projectPlaceSchema,
  type Scope,
  secretSchemas,
} from "@/lib/common/contract";
import { type AppError, fail, notFound } from "@/lib/common/errors";
import { database, type Tx, toId, toJson, uuidv7, withTransaction } from "@/lib/server/db";
import { connectionUuid, getConnection, getStoredConnection } from "./queries";
import { sealSecret } from "./secrets";
import type { StoredConnection, TestOutcome } from "./types";

/** What connections are judged and sealed by. */
export interface ConnectionRules {
  readonly policy: SourcePolicy;
  /** Path of the file of keys that seal secrets. */
  readonly keyFile: string;
}

/**
 * Judges a new connection and seals its secret; nothing is kept yet.
 *
 * @throws {AppError} `URL_NOT_ALLOWED`, `NAME_TAKEN`, `CONNECTION_TAKEN`, `QUOTA_EXCEEDED`, `SEALING_KEY_INVALID`
 */
export async function draftConnection(
  scope: Scope,
  { untested: _, secret, ...wanted }: NewProjectConnection,
  { policy, keyFile }: ConnectionRules,
): Promise<StoredConnection> {
  const id = uuidv7();
  checkPlace(wanted, policy);
  await withTransaction((tx) => requireFree(tx, scope, { id, leads: wanted }));
  const sealed =
    secret === undefined ? null : await sealSecret(secret, { id, leads: wanted }, keyFile);
  return { id, leads: wanted, secret: sealed, version: 1 };
}

/** Keeps a connection that was drafted. @param outcome Null: it was not tested. @throws {AppError} As `draftConnection`. */
export async function addConnection(
  scope: Scope,
  draft: StoredConnection,
  outcome: TestOutcome | null,
): Promise<ProjectConnection> {
  const { id, leads, secret } = draft;
  await withTransaction(async (tx) => {
    await requireFree(tx, scope, draft);
    await tx.$executeRaw`
      INSERT INTO connection (id, project_id, name, kind, place, secret, secret_set_at, tested_at, test_said, test_reason)
      VALUES (${id}::uuid, ${scope}::uuid, ${leads.name}, ${leads.kind}, ${JSON.stringify(toJson(leads.place))}::jsonb,
        ${secret}, CASE WHEN ${secret}::text IS NULL THEN NULL ELSE now() END,
        CASE WHEN ${outcome?.said ?? null}::text IS NULL THEN NULL ELSE now() END,
        ${outcome?.said ?? null}, ${outcome?.reason ?? null})`;
  });
  return await getConnection(scope, toId(idPrefixes.connection, id));
}

/** A connection as it would be, and whether it opens otherwise than before. */
export interface ConnectionChange {
  readonly draft: StoredConnection;
  /** Whether anything but its name is another. */
  readonly isOther: boolean;
  /** Whether its secret was given, or taken away, just now. */
  readonly isSecretNew: boolean;
}

/**
 * Judges a change and seals a new secret; nothing is kept yet. A secret stays only where it goes to the very same hosts.
 *
 * @throws {AppError} `NOT_FOUND`, `VALIDATION`, `SECRET_WANTED`, and those of `draftConnection`.
 */
export async function draftChange(
  scope: Scope,
  id: string,
  change: ProjectConnectionChange,
  { policy, keyFile }: ConnectionRules,
): Promise<ConnectionChange> {
  const before = await getStoredConnection(scope, id);
  const { kind } = before.leads;
  const leads = projectPlaceSchema.parse({
    kind,
    name: change.name ?? before.leads.name,
    place: change.place === undefined ? before.leads.place : parsePlace(kind, change.place),
  });
  const isSecretNew = change.secret !== undefined;
  if (change.secret === null && !openKinds.has(kind))
    throw wantsSecret("A connection of this kind has a secret.");
  const isElsewhere = originsOf(leads).join() !== originsOf(before.leads).join();
  if (isElsewhere && !isSecretNew && before.secret !== null)
    throw wantsSecret("The secret was given for another host, and stays with that one.");
  const isOther = isSecretNew || change.place !== undefined;
  if (isOther) checkPlace(leads, policy);
  await withTransaction((tx) => requireFree(tx, scope, { id: before.id, leads }));
  const given = change.secret ?? null;
  const secret = !isSecretNew
    ? before.secret
    : given === null
      ? null
      : await sealSecret(parseSecret(kind, given), { id: before.id, leads }, keyFile);
  return { draft: { id: before.id, leads, secret, version: before.version }, isOther, isSecretNew };
}

/**
 * Keeps a change that was drafted.
 *
 * @param outcome Null: it was not tested. What only has another name keeps its last test.
 * @throws {AppError} `STATE_CONFLICT` where somebody changed it meanwhile; `NOT_FOUND`, and those of `draftConnection`.
 */
export async function changeConnection(
  scope: Scope,
  { draft, isOther, isSecretNew }: ConnectionChange,
  outcome: TestOutcome | null,
): Promise<ProjectConnection> {
  const { leads, secret, version } = draft;
  const id = toId(idPrefixes.connection, draft.id);
  const [said, reason] = [outcome?.said ?? null, outcome?.reason ?? null];
  await withTransaction(async (tx) => {
    await requireFree(tx, scope, draft);
    const count = await tx.$executeRaw`
      UPDATE connection SET name = ${leads.name}, place = ${JSON.stringify(toJson(leads.place))}::jsonb,
        secret = CASE WHEN ${isSecretNew} THEN ${secret} ELSE secret END,
        secret_set_at = CASE WHEN ${!isSecretNew} THEN secret_set_at WHEN ${secret}::text IS NULL THEN NULL ELSE now() END,
        tested_at = CASE WHEN ${!isOther} THEN tested_at WHEN ${said}::text IS NULL THEN NULL ELSE now() END,
        test_said = CASE WHEN ${!isOther} THEN test_said ELSE ${said} END,
        test_reason = CASE WHEN ${!isOther} THEN test_reason ELSE ${reason} END,
        version = version + 1, updated_at = now()
      WHERE id = ${draft.id}::uuid AND project_id = ${scope}::uuid AND version = ${version}`;
    if (count > 0) return;
    const row = await tx.connection.findFirst({ where: { id: draft.id, projectId: scope } });
    if (!row) throw notFound("projectConnection", id);
    throw fail("STATE_CONFLICT", "Somebody else changed this connection just now.", {
      hint: "Look at it again, then repeat your change.",
    });
  });
  return await getConnection(scope, id);
}

/** Keeps what a test came to, unless the connection was changed meanwhile. */
export async function noteOutcome(
  scope: Scope,
  { id, version }: StoredConnection,
  { said, reason }: TestOutcome,
): Promise<void> {
  await database().$executeRaw`
    UPDATE connection SET tested_at = now(), test_said = ${said}, test_reason = ${reason}
    WHERE id = ${id}::uuid AND project_id = ${scope}::uuid AND version = ${version}`;
}

/** Deletes a connection with its secret. @throws {AppError} `NOT_FOUND` */
export async function removeConnection(scope: Scope, id: string): Promise<void> {
  const { count } = await database().connection.deleteMany({
    where: { id: connectionUuid(id), projectId: scope },
  });
  if (count === 0) throw notFound("projectConnection", id);
}

/** Names, buckets and hosts stand once in a project, so that an address leads to one connection. */
async function requireFree(
  tx: Tx,
  scope: Scope,
  { id, leads }: Pick<StoredConnection, "id" | "leads">,
): Promise<void> {
  // Whoever else adds one to the project waits here.
  await tx.$queryRaw`SELECT 1 FROM project WHERE id = ${scope}::uuid FOR UPDATE`;
  const others = await tx.connection.findMany({ where: { projectId: scope, id: { not: id } } });
  if (others.length >= mostProjectConnections)
    throw fail("QUOTA_EXCEEDED", `There are ${mostProjectConnections} connections already.`, {
      hint: "Delete one that nobody uses any more.",
    });
  const claims = new Set(claimsOf(leads));
  for (const { name, kind, place } of others) {
    if (name === leads.name)
      throw fail("NAME_TAKEN", `A connection named “${name}” exists.`, {
        field: "name",
        hint: "Choose another name, or change that one.",
      });
    const claim = claimsOf(projectPlaceSchema.parse({ name, kind, place })).find((each) =>
      claims.has(each),
    );
    if (claim !== undefined)
      throw fail("CONNECTION_TAKEN", `The connection ${name} opens ${claim} already.`, {
        field: "place",
        hint: "Change that one instead: an address leads to one connection.",
      });
  }
}

const wantsSecret = (message: string): AppError =>
  fail("SECRET_WANTED", message, { field: "secret", hint: "Enter the secret again." });

function parsePlace(kind: ConnectionKind, given: unknown): unknown {
  return parsed(placeSchemas[kind].safeParse(given), "place");
}

function parseSecret(kind: ConnectionKind, given: unknown): unknown {
  return parsed(secretSchemas[kind].safeParse(given), "secret");
}

interface Parsed {
  readonly data?: unknown;
  readonly error?:
    | { readonly issues: readonly { readonly message: string; readonly path: PropertyKey[] }[] }
    | undefined;
}

function parsed({ data, error }: Parsed, field: string): unknown {
  const [issue] = error?.issues ?? [];
  if (!issue) return data;
  const at = [field, ...issue.path.map(String)].join(".");
  throw fail("VALIDATION", `${at}: ${issue.message}`, { field: at });
}
