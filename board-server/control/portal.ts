import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { request as httpRequest } from "undici";
import { z } from "zod";
import { type Digest, errorBodySchema } from "@/lib/common/contract";
import { AppError, fail, isErrorCode, isReason } from "@/lib/common/errors";
import {
  boardServerHeaders,
  boardServerVersion,
  enrolRequestSchema,
  enrolResponseSchema,
  pollRequestSchema,
  pollResponseSchema,
  signedText,
} from "@/lib/server/board-protocol";
import type { Identity } from "./identity";

const base = "/api/board-server/v1";
/** Another request of ours may take the nonce between its coming and its use; then the refusal brings the next one. */
const maxTries = 5;
const maxAnswerBytes = 32 * 1024 * 1024;

interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly body: Readable;
}

/** An answer, and the nonce of the request that it answers. */
interface SignedAnswer extends Answer {
  readonly askedWith: string;
}

/** The portal as a board server sees it. Every request but the first is signed over a nonce that the portal gave. */
export class Portal {
  private readonly url: string;
  private readonly identity: Identity;
  private nonce = "";
  serverId: string | null;

  constructor(url: string, identity: Identity, serverId: string | null) {
    this.url = url.replace(/\/$/, "");
    this.identity = identity;
    this.serverId = serverId;
  }

  /** @throws {AppError} `ENROLMENT_INVALID` for a code that is used, old or unknown. */
  async enrol(
    body: Omit<z.input<typeof enrolRequestSchema>, "publicKey">,
    signal: AbortSignal,
  ): Promise<z.output<typeof enrolResponseSchema>> {
    const request = enrolRequestSchema.parse({ ...body, publicKey: this.identity.publicKey });
    const answer = await this.send({
      method: "POST",
      path: `${base}/enrol`,
      body: JSON.stringify(request),
      timeoutMs: 15_000,
      signal,
    });
    const enrolled = enrolResponseSchema.parse(await readJson(answer));
    this.serverId = enrolled.serverId;
    this.nonce = enrolled.nonce;
    return enrolled;
  }

  /** Reports, and waits for commands as long as the report says. */
  async poll(
    report: z.input<typeof pollRequestSchema>,
    signal: AbortSignal,
  ): Promise<z.output<typeof pollResponseSchema> & Pick<SignedAnswer, "askedWith">> {
    const answer = await this.sendSigned({
      method: "POST",
      path: `${base}/poll`,
      body: JSON.stringify(pollRequestSchema.parse(report)),
      timeoutMs: (report.waitS + 10) * 1000,
      signal,
    });
    const polled = pollResponseSchema.parse(await readJson(answer));
    this.nonce = polled.nonce;
    return { ...polled, askedWith: answer.askedWith };
  }

  /** The bytes of one file of an artifact that a command of ours names. */
  async openFile(artifact: Digest, file: Digest, signal: AbortSignal): Promise<Readable> {
    const answer = await this.sendSigned({
      method: "GET",
      path: `${base}/artifacts/${artifact}/files/${file}`,
      timeoutMs: 30_000,
      signal,
    });
    return answer.body;
  }

  private async sendSigned(call: Call): Promise<SignedAnswer> {
    const bodySha256 = createHash("sha256")
      .update(call.body ?? "")
      .digest("hex");
    for (let tries = 1; ; tries++) {
      const { nonce } = this;
      const { method, path } = call;
      try {
        const answer = await this.send(call, {
          [boardServerHeaders.server]: this.serverId ?? "",
          [boardServerHeaders.nonce]: nonce,
          [boardServerHeaders.version]: boardServerVersion,
          [boardServerHeaders.signature]: this.identity.sign(
            signedText({ method, path, nonce, bodySha256 }),
          ),
        });
        return { ...answer, askedWith: nonce };
      } catch (error) {
        const stale = error instanceof AppError && error.reason === "UNAUTHENTICATED";
        if (!stale || this.nonce === nonce || tries === maxTries) throw error;
      }
    }
  }

  private async send(call: Call, headers: Record<string, string> = {}): Promise<Answer> {
    const { method, path, body, timeoutMs, signal } = call;
    const answer = await httpRequest(this.url + path, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      body: body ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: 30_000,
      signal,
    }).catch((cause: unknown) => {
      if (signal.aborted) throw fail("CANCELLED", "The request to the portal was given up.");
      throw fail("SOURCE_UNAVAILABLE", "The portal does not answer.", { cause });
    });
    const nonce = answer.headers[boardServerHeaders.nonce];
    if (typeof nonce === "string") this.nonce = nonce;
    if (answer.statusCode < 400) return { status: answer.statusCode, body: answer.body };
    throw await errorOf({ status: answer.statusCode, body: answer.body });
  }
}

async function readJson({ body }: Answer): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  const pieces: AsyncIterable<Buffer> = body;
  for await (const chunk of pieces) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw fail("SOURCE_TOO_LARGE", "The portal's answer is too long.");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

const refusalSchema = z.object({ error: errorBodySchema.shape.error.partial() });

async function errorOf(answer: Answer): Promise<AppError> {
  const body = refusalSchema.safeParse(await readJson(answer).catch(() => null));
  const { code, reason, message = "" } = body.data?.error ?? {};
  if (!isReason(reason) || !isErrorCode(code)) {
    return fail("SOURCE_UNAVAILABLE", `The portal answered with status ${answer.status}.`);
  }
  return new AppError(code, message, { reason });
}
