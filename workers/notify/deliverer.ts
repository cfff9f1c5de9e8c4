import type { Logger } from "pino";
import {
  claimDelivery,
  type DeliveryOutcome,
  settleDelivery,
  type TakenDelivery,
} from "@/domain/notifications";
import { Backoff } from "@/lib/common/backoff";
import { Bell } from "@/lib/server/db";
import { fault } from "@/lib/server/process";
import { sealOlder } from "./seal-older";
import { type MailServer, sendMail } from "./send-mail";
import { sendWebhook, type WebhookOptions } from "./send-webhook";

export interface DelivererOptions {
  readonly webhooks: WebhookOptions;
  /** Null where no server for e-mail is set up. */
  readonly mail: MailServer | null;
  /** How often it looks for what is due, in seconds. */
  readonly sweepS: number;
  readonly log: Logger;
}

/** Messages that are sent at a time: one slow receiver holds up no other. */
const lanes = 4;

/**
 * Sends what is due: at once when the database tells of a change, and by sweeping behind that. Any number of processes may do so.
 * One that dies between sending and noting has the message sent again; its id is the same, by which receivers drop it.
 */
export function startDeliverer(options: DelivererOptions): { close(): Promise<void> } {
  const { sweepS, log, mail } = options;
  const stop = new AbortController();
  const lane = async () => {
    const bell = new Bell(["event"], { settleMs: 20 });
    const backoff = new Backoff({ firstMs: 200, mostMs: 30_000 });
    while (!stop.signal.aborted) {
      try {
        while (!stop.signal.aborted && (await deliverNext(options, stop.signal)));
        backoff.reset();
        await bell.wait(sweepS * 1000, stop.signal);
      } catch (err) {
        if (stop.signal.aborted) break;
        log[backoff.failures === 0 ? "warn" : "debug"]({ err }, "deliverer waits for its stores");
        await backoff.wait(stop.signal);
      }
    }
    await bell.close();
  };
  const running = Promise.all([
    ...Array.from({ length: lanes }, lane),
    sealOlder(options.webhooks.keyFile, { log, signal: stop.signal }),
  ]);
  return {
    async close() {
      stop.abort();
      await running;
      mail?.close();
    },
  };
}

/** Sends the delivery that is due first. Answers whether there was one. */
async function deliverNext(options: DelivererOptions, signal: AbortSignal): Promise<boolean> {
  const taken = await claimDelivery();
  if (!taken) return false;
  fault("control.before-send");
  const outcome = await send(taken, options, signal);
  fault("control.after-send");
  await settleDelivery(taken, outcome);
  const { id, channel, tries } = taken;
  const { isDelivered, status } = outcome;
  options.log.info({ delivery: id, channel, tries, isDelivered, status }, "delivery");
  return true;
}

async function send(
  taken: TakenDelivery,
  { webhooks, mail }: DelivererOptions,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  if (!taken.isWanted)
    return {
      ...{ isDelivered: false, mayRetry: false, status: null },
      problem: "Whom it was for was removed.",
    };
  return taken.channel === "mail"
    ? await sendMail(taken, mail)
    : await sendWebhook(taken, webhooks, signal);
}
