import { createTransport, type Transporter } from "nodemailer";
import { z } from "zod";
import type { DeliveryOutcome, TakenDelivery } from "@/domain/notifications";
import { systemCodeOf } from "@/lib/common/errors";
import { formatDurationMs, mailOf } from "./mailed-build";

/** The SMTP server that e-mail goes through. */
export interface MailServer {
  readonly transport: Transporter;
  readonly from: string;
  /** Address of the portal, for links. */
  readonly portalUrl: string;
  close(): void;
}

const connectMs = 10_000;
const silentMs = 20_000;

/** Connects to a server when there is something to send. @param url `smtp://` or `smtps://`, with user and password where it wants them. */
export function mailServer(options: {
  readonly url: string;
  readonly from: string;
  readonly portalUrl: string;
}): MailServer {
  const transport = createTransport({
    url: options.url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silentMs,
    // A message of ours names no files and no addresses to fetch from.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { from, portalUrl } = options;
  return { transport, from, portalUrl, close: () => transport.close() };
}

const payloadSchema = z.object({
  type: z.string(),
  data: z.object({
    build: z
      .object({
        id: z.string(),
        state: z.string(),
        endpointName: z.string().nullable(),
        modelUrl: z.string(),
        engine: z.string(),
        boardModel: z.string(),
        message: z.string().nullable(),
        durationMs: z.number().nullable(),
      })
      .optional(),
  }),
});

/** Sends a message by e-mail. The message id is the delivery's, so that one that is sent twice is shown once. */
export async function sendMail(
  { address, body, shownId }: TakenDelivery,
  server: MailServer | null,
): Promise<DeliveryOutcome> {
  if (!server)
    return {
      ...{ isDelivered: false, mayRetry: true, status: null },
      problem: "No SMTP server is set up: SMTP_URL is empty.",
    };
  const { build } = payloadSchema.parse(JSON.parse(body)).data;
  const { subject, text } = mailOf(
    build && {
      ...build,
      took: build.durationMs === null ? null : formatDurationMs(build.durationMs),
      url: `${server.portalUrl.replace(/\/$/, "")}/builds/${build.id}`,
    },
  );
  try {
    await server.transport.sendMail({
      ...{ from: server.from, to: address, subject, text },
      messageId: `<${shownId}@boardwalk>`,
      headers: { "x-boardwalk-delivery": shownId, "auto-submitted": "auto-generated" },
    });
    return { isDelivered: true, mayRetry: false, status: 250, problem: null };
  } catch (error) {
    const status = responseCodeOf(error);
    const code = systemCodeOf(error);
    return {
      isDelivered: false,
      // A refusal with 5xx is for good; whatever else may pass.
      mayRetry: status === null || status < 500,
      status,
      problem: status
        ? `The SMTP server answered ${status}.`
        : `The SMTP server cannot be reached${code ? `: ${code}` : ""}.`,
    };
  }
}

function responseCodeOf(error: unknown): number | null {
  const found = z.object({ responseCode: z.number().int() }).safeParse(error);
  return found.success ? found.data.responseCode : null;
}
