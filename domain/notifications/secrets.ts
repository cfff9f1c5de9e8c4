import { randomBytes } from "node:crypto";
import { idPrefixes } from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";
import {
  openSealed,
  type Resealed,
  type StoredSecret,
  seal,
  sealAllAgain,
} from "@/lib/server/sealing";

/** How each begins, as its owner sees it; a seal never does. */
const prefix = "whsec_";

/** A webhook as far as its secret asks. */
interface Bound {
  /** Bare UUID. */
  readonly id: string;
  readonly url: string;
}

/** A new secret, which its owner sees once. */
export const newSecret = (): string => `${prefix}${randomBytes(24).toString("base64url")}`;

/** What a secret is bound to: it opens for this webhook, and for its address, alone. */
const boundTo = ({ id, url }: Bound): readonly string[] => [id, "webhook", url];

/** Seals a secret for a webhook. @throws {AppError} `SEALING_KEY_INVALID` */
export const sealSecret = async (
  secret: string,
  webhook: Bound,
  keyFile: string,
): Promise<string> => await seal(secret, boundTo(webhook), keyFile);

/**
 * Opens what signs the messages of a webhook.
 *
 * @throws {AppError} `SEALING_KEY_INVALID`, `SECRET_UNREADABLE`
 */
export async function openWebhookSecret(
  webhook: Bound & { readonly secret: string },
  keyFile: string,
): Promise<string> {
  // A version that sealed none left it so.
  if (webhook.secret.startsWith(prefix)) return webhook.secret;
  return await openSealed(webhook.secret, boundTo(webhook), keyFile);
}

/** Seals the secrets of all webhooks of all projects with the first key of the file. */
export async function sealWebhooksAgain(keyFile: string): Promise<Resealed> {
  const all = await database().webhook.findMany({ orderBy: { id: "asc" }, select: { id: true } });
  return await sealAgain(all, keyFile);
}

/** Seals what a version left that sealed none. */
export async function sealPlainSecrets(keyFile: string): Promise<Resealed> {
  const plain = await database().webhook.findMany({
    where: { secret: { startsWith: prefix } },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  return await sealAgain(plain, keyFile);
}

const sealAgain = async (
  webhooks: readonly { readonly id: string }[],
  keyFile: string,
): Promise<Resealed> =>
  await sealAllAgain(
    webhooks.map(({ id }) => id),
    (id) => storedSecret(id, keyFile),
    keyFile,
  );

async function storedSecret(id: string, keyFile: string): Promise<StoredSecret | null> {
  const row = await database().webhook.findUnique({ where: { id }, include: { project: true } });
  if (!row) return null;
  const { secret: stored, url, project } = row;
  // What follows the host may be a secret of the receiver's.
  const { host } = new URL(url);
  return {
    name: `webhook ${toId(idPrefixes.webhook, id)} to ${host} of project ${project.name}`,
    stored,
    context: boundTo(row),
    open: () => openWebhookSecret(row, keyFile),
    keep: async (sealed) => {
      const count = await database().$executeRaw`
        UPDATE webhook SET secret = ${sealed} WHERE id = ${id}::uuid AND url = ${url} AND secret = ${stored}`;
      return count > 0;
    },
  };
}
