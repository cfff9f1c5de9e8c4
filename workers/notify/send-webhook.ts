import { createHmac } from "node:crypto";
import { Agent, request } from "undici";
import {
  type DeliveryOutcome,
  openWebhookSecret,
  type TakenDelivery,
} from "@/domain/notifications";
import {
  checkedConnector,
  parseSourceUrl,
  type Resolve,
  type SourcePolicy,
} from "@/domain/sources";
import { type AppError, isAppError, systemCodeOf } from "@/lib/common/errors";

/** Where webhooks may lead, and how names are resolved. */
export interface WebhookOptions {
  readonly policy: SourcePolicy;
  readonly resolve: Resolve;
  /** PEM of a further certificate authority. */
  readonly ca?: string | undefined;
  /** Path of the file of keys that open secrets. */
  readonly keyFile: string;
}

const connectMs = 10_000;
const answerMs = 20_000;

/**
 * What proves that a message is ours: `t=<seconds since 1970>,v1=<HMAC-SHA256 of "<t>.<body>" in hexadecimal>`.
 *
 * @param time When it is sent; a receiver refuses what is old.
 */
export function signatureOf(secret: string, time: Date, body: string): string {
  const t = Math.floor(time.getTime() / 1000);
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
}

/** Posts a message to its address, which is judged like that of a model: every address of its name must be public, or listed. */
export async function sendWebhook(
  { targetId, address, body, secret, takenAt, shownId, event, tries }: TakenDelivery,
  { policy, resolve, ca, keyFile }: WebhookOptions,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  if (secret === null) return refused("The webhook was removed.");
  let agent: Agent | null = null;
  try {
    const source = parseSourceUrl(address, policy, "url");
    const opened = await openWebhookSecret({ id: targetId, url: address, secret }, keyFile);
    const connect = checkedConnector({ source, resolve, ca, timeoutMs: connectMs });
    agent = new Agent({ connect, headersTimeout: answerMs, bodyTimeout: answerMs, pipelining: 0 });
    const answer = await request(source.url, {
      dispatcher: agent,
      method: "POST",
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
      headers: {
        "content-type": "application/json",
        "user-agent": "boardwalk",
        "boardwalk-signature": signatureOf(opened, takenAt, body),
        "boardwalk-event": event,
        "boardwalk-delivery": shownId,
        "boardwalk-try": String(tries),
      },
      body,
    });
    answer.body.on("error", () => {});
    const { statusCode: status } = answer;
    if (status >= 200 && status < 300)
      return { isDelivered: true, mayRetry: false, status, problem: null };
    // Redirects are not followed: they could lead anywhere. Whoever answers “gone” wants no more.
    return {
      isDelivered: false,
      mayRetry: status !== 410,
      status,
      problem: `The receiver answered ${status}.`,
    };
  } catch (error) {
    // Whoever runs the installation may put the key back.
    if (isAppError(error) && error.reason === "SEALING_KEY_INVALID") return unsigned(error, true);
    if (isAppError(error) && error.reason === "SECRET_UNREADABLE") return unsigned(error, false);
    if (isAppError(error) && error.code !== "unavailable") return refused(error.message);
    if (signal.aborted) throw error;
    const code = systemCodeOf(error);
    const problem = code
      ? `The receiver cannot be reached: ${code}.`
      : "The receiver cannot be reached.";
    return { isDelivered: false, mayRetry: true, status: null, problem };
  } finally {
    await agent?.destroy();
  }
}

const refused = (problem: string): DeliveryOutcome => ({
  ...{ isDelivered: false, mayRetry: false, status: null, problem },
});

const unsigned = ({ message, hint }: AppError, mayRetry: boolean): DeliveryOutcome => ({
  ...{ isDelivered: false, mayRetry, status: null },
  problem: `It cannot be signed. ${message} ${hint}`,
});
