import { originsOf } from "@/domain/sources";
import { idPrefixes, type ProjectPlace } from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";
import {
  openSealed,
  type Resealed,
  type StoredSecret,
  seal,
  sealAllAgain,
} from "@/lib/server/sealing";
import { toStored } from "./queries";
import type { StoredConnection } from "./types";

/** What a secret is bound to: it opens for this connection, and for where it leads, alone. */
const boundTo = ({ id, leads }: Pick<StoredConnection, "id" | "leads">): readonly string[] => [
  id,
  leads.kind,
  ...originsOf(leads),
];

/** Seals a secret for a connection and where it leads. @throws {AppError} `SEALING_KEY_INVALID` */
export const sealSecret = async (
  secret: unknown,
  connection: { readonly id: string; readonly leads: ProjectPlace },
  keyFile: string,
): Promise<string> => await seal(JSON.stringify(secret), boundTo(connection), keyFile);

/**
 * Opens the secret of a connection; null: it has none.
 *
 * @throws {AppError} `SEALING_KEY_INVALID`, `SECRET_UNREADABLE`
 */
export async function openSecret(
  { id, leads, secret }: Pick<StoredConnection, "id" | "leads" | "secret">,
  keyFile: string,
): Promise<unknown> {
  return secret === null
    ? null
    : JSON.parse(await openSealed(secret, boundTo({ id, leads }), keyFile));
}

/**
 * Seals the secrets of all connections of all projects with the first key of the file. Their versions stay: a change that somebody
 * has begun writes no secret, unless it brings another one.
 */
export async function sealConnectionsAgain(keyFile: string): Promise<Resealed> {
  const rows = await database().connection.findMany({
    where: { secret: { not: null } },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  return await sealAllAgain(
    rows.map(({ id }) => id),
    (id) => storedSecret(id, keyFile),
    keyFile,
  );
}

async function storedSecret(id: string, keyFile: string): Promise<StoredSecret | null> {
  const row = await database().connection.findUnique({ where: { id }, include: { project: true } });
  if (!row?.secret) return null;
  const { secret: stored, version, name, project } = row;
  const context = boundTo(toStored(row));
  return {
    name: `connection ${name} of project ${project.name} (${toId(idPrefixes.connection, id)})`,
    stored,
    context,
    open: () => openSealed(stored, context, keyFile),
    keep: async (sealed) => {
      const count = await database().$executeRaw`
        UPDATE connection SET secret = ${sealed}
        WHERE id = ${id}::uuid AND version = ${version} AND secret = ${stored}`;
      return count > 0;
    },
  };
}
