import { parseSourceUrl, type SourcePolicy } from "@/domain/sources";
import {
  idPrefixes,
  type MailRecipient,
  type NewMailRecipient,
  type NewWebhook,
  type Scope,
  type Webhook,
} from "@/lib/common/contract";
import { fail, isAppError, notFound } from "@/lib/common/errors";
import { database, parseId, type Tx, toId, uuidv7, withTransaction } from "@/lib/server/db";
import { addDelivery } from "./deliveries";
import { newSecret, sealSecret } from "./secrets";

/** Of a project: more nobody reads, and each end of a build is sent to all of them. */
const [mostWebhooks, mostRecipients] = [20, 100];

/**
 * Sets up an address that is told.
 *
 * @param rules What addresses are judged by, and the file of keys that seal secrets.
 * @throws {AppError} `URL_NOT_ALLOWED` for one that leads to a private place; `QUOTA_EXCEEDED`, `SEALING_KEY_INVALID`
 */
export async function addWebhook(
  scope: Scope,
  { url, events }: NewWebhook,
  { policy, keyFile }: { readonly policy: SourcePolicy; readonly keyFile: string },
): Promise<Webhook & { readonly secret: string }> {
  judgeUrl(url, policy);
  const bareId = uuidv7();
  const secret = newSecret();
  const sealed = await sealSecret(secret, { id: bareId, url }, keyFile);
  return await withTransaction(async (tx) => {
    const count = await tx.webhook.count({ where: { projectId: scope } });
    if (count >= mostWebhooks) throw tooMany(mostWebhooks, "webhooks");
    const row = await tx.webhook.create({
      data: { id: bareId, projectId: scope, url, events, secret: sealed },
    });
    const id = toId(idPrefixes.webhook, bareId);
    return { id, url, events, secret, createdAt: row.createdAt.toISOString() };
  });
}

function judgeUrl(url: string, policy: SourcePolicy): void {
  try {
    parseSourceUrl(url, policy, "url");
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw fail("URL_NOT_ALLOWED", error.message, {
      field: "url",
      hint: "Use a public https:// address. An administrator can list a host of your own in SOURCE_ALLOWED_HOSTS.",
    });
  }
}

const tooMany = (most: number, what: string) =>
  fail("QUOTA_EXCEEDED", `There are ${most} ${what} already.`, {
    hint: "Remove one that nobody reads any more.",
  });

/** Removes an address; what still waits to be sent to it is sent no more. @throws {AppError} `NOT_FOUND` */
export async function removeWebhook(scope: Scope, id: string): Promise<void> {
  const uuid = parseId(idPrefixes.webhook, id);
  const { count } = uuid
    ? await database().webhook.deleteMany({ where: { id: uuid, projectId: scope } })
    : { count: 0 };
  if (count === 0) throw notFound("webhook", id);
}

/** Has somebody told by e-mail; with other events, if they are already. @throws {AppError} `QUOTA_EXCEEDED` */
export async function addMailRecipient(
  scope: Scope,
  { address, events }: NewMailRecipient,
): Promise<MailRecipient> {
  return await withTransaction(async (tx) => {
    const count = await tx.mailRecipient.count({
      where: { projectId: scope, address: { not: address } },
    });
    if (count >= mostRecipients) throw tooMany(mostRecipients, "recipients");
    const row = await tx.mailRecipient.upsert({
      where: { projectId_address: { projectId: scope, address } },
      create: { id: uuidv7(), projectId: scope, address, events },
      update: { events },
    });
    const id = toId(idPrefixes.mailRecipient, row.id);
    return { id, address, events, createdAt: row.createdAt.toISOString() };
  });
}

/** Tells somebody no more. @throws {AppError} `NOT_FOUND` */
export async function removeMailRecipient(scope: Scope, id: string): Promise<void> {
  const uuid = parseId(idPrefixes.mailRecipient, id);
  const { count } = uuid
    ? await database().mailRecipient.deleteMany({ where: { id: uuid, projectId: scope } })
    : { count: 0 };
  if (count === 0) throw notFound("mailRecipient", id);
}

/** Sends a message that says only that it is a test. Answers its shown id. @throws {AppError} `NOT_FOUND` */
export async function testReceiver(
  scope: Scope,
  channel: "webhook" | "mail",
  id: string,
): Promise<string> {
  return await withTransaction(async (tx) => {
    const target = await findTarget(tx, scope, channel, id);
    if (!target) throw notFound(channel === "mail" ? "mailRecipient" : "webhook", id);
    const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
    const delivery = await addDelivery(
      tx,
      scope,
      { channel, ...target },
      {
        event: "test",
        time: clock?.now.toISOString() ?? "",
        data: { message: "This is a test: the settings work." },
      },
    );
    return toId(idPrefixes.delivery, delivery);
  });
}

async function findTarget(tx: Tx, scope: Scope, channel: "webhook" | "mail", id: string) {
  const uuid = parseId(channel === "webhook" ? idPrefixes.webhook : idPrefixes.mailRecipient, id);
  if (!uuid) return null;
  const where = { id: uuid, projectId: scope };
  if (channel === "mail")
    return await tx.mailRecipient.findFirst({ where, select: { id: true, address: true } });
  const webhook = await tx.webhook.findFirst({ where, select: { id: true, url: true } });
  return webhook && { id: webhook.id, address: webhook.url };
}

/** Sends a message once more, the very same, with all its tries before it. @throws {AppError} `NOT_FOUND` */
export async function redeliver(scope: Scope, id: string): Promise<string> {
  const uuid = parseId(idPrefixes.delivery, id);
  const changed = uuid
    ? await database().$executeRaw`
        UPDATE delivery SET state = 'waiting', tries = 0, next_at = now(), ended_at = NULL
        WHERE id = ${uuid}::uuid AND project_id = ${scope}::uuid`
    : 0;
  if (changed === 0) throw notFound("delivery", id);
  return id;
}
