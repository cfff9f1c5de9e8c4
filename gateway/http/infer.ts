import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Timing } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { InferRequest } from "@/lib/common/tensor";
import { inferHeaders } from "@/lib/server/board-protocol";
import type { Codec } from "../codec";
import { infer, mostKeptBytes, type ServedRevision } from "../core";
import { heldByTensors, type Life } from "../intake";
import { type Answer, sendAnswer } from "./answers";
import { readBody } from "./body";
import { chooseEncoding, compress } from "./compress";
import type { InferCall, InferQuestion } from "./infer-call";
import { rawRequest, wantsJson } from "./raw-request";
import { underWay } from "./under-way";

const headerLengthName = "inference-header-content-length";

/** Reads an infer request, asks the core, sends the answer as it was asked for. */
export async function answerInfer(call: InferCall): Promise<void> {
  const { life, leave } = underWay(call);
  const { request, response, maxBodyBytes, reservation } = call;
  try {
    const startMs = performance.now();
    const body = await readBody(request, { maxBytes: maxBodyBytes, reservation });
    sendAnswer(response, await inferAnswer(call, body, { life, startMs }));
  } finally {
    leave();
  }
}

/** How long the answer is wanted, and since when it is. */
interface Wanted {
  readonly life: Life;
  /** Of the monotonic clock. */
  readonly startMs: number;
}

/** Answers an infer request whose body is here, wherever it came from. */
export async function inferAnswer(
  { headers: asking, model, version, revision: chosen, ...question }: InferQuestion,
  body: Uint8Array,
  { life, startMs }: Wanted,
): Promise<Answer> {
  const { service, caller, reservation, asked } = question;
  const { codec } = service;
  if (asked?.keepsPayloads) asked.body = keptText(asking, body);
  const parsing = parse(codec, asking, body, chosen);
  const parsed = parsing instanceof Promise ? await parsing : parsing;
  reservation.add(heldByTensors(parsed.inputs));
  const readyMs = performance.now();
  const { outputs, timing, revision } = await infer({ model, version }, chosen, parsed, {
    service,
    traceparent: headerText(asking["traceparent"]),
    life,
    caller,
    asked,
  });
  const answeredMs = performance.now();
  reservation.addAnyway(heldByTensors(outputs));
  const id = parsed.id === "" ? randomUUID() : parsed.id;
  if (asked) asked.requestId = id;
  const writing = codec.write(
    { modelName: model, modelVersion: revision.version, id, outputs },
    parsed,
  );
  const { body: unpacked, headerLength } = writing instanceof Promise ? await writing : writing;
  const headers: Record<string, string | number> = { "content-type": "application/json" };
  if (headerLength !== null) {
    headers["content-type"] = "application/octet-stream";
    headers[headerLengthName] = headerLength;
  }
  if (asking[inferHeaders.timing] !== undefined) {
    const gatewayMs = readyMs - startMs + performance.now() - answeredMs;
    const split: Timing = { ...timing, gatewayNs: Math.round(gatewayMs * 1e6) };
    headers[inferHeaders.timing] = JSON.stringify(split);
  }
  let message = unpacked;
  const size = Buffer.byteLength(message);
  const encoding = chooseEncoding(headerText(asking["accept-encoding"]), size);
  if (encoding !== null) {
    message = await compress(Buffer.from(message), encoding);
    headers["content-encoding"] = encoding;
    headers["vary"] = "Accept-Encoding";
  }
  headers["content-length"] = encoding === null ? size : message.length;
  reservation.addAnyway(size);
  service.meter.countBytes(body.length, size);
  return { status: 200, headers, body: message };
}

function parse(
  codec: Codec,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  revision: ServedRevision,
): InferRequest | Promise<InferRequest> {
  const header = headerText(headers[headerLengthName]);
  if (header === undefined) return codec.parse(body, {});
  if (!/^\d{1,15}$/.test(header)) {
    throw fail("INFER_INVALID", "Inference-Header-Content-Length is not a decimal number of bytes");
  }
  const headerLength = Number(header);
  if (headerLength === 0) return rawRequest(body, revision, wantsJson(headers.accept));
  return codec.parse(body, { headerLength });
}

/** A body of JSON alone, as it came, where it is not too long to be kept. */
function keptText(headers: IncomingHttpHeaders, body: Uint8Array): string | null {
  const isJson = headers[headerLengthName] === undefined;
  if (!isJson || body.length > mostKeptBytes) return null;
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString();
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}
