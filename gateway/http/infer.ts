import { randomUUID } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Timing } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { InferRequest } from "@/lib/common/tensor";
import { inferHeaders } from "@/lib/server/board-protocol";
import type { Codec } from "../codec";
import { infer, mostKeptBytes, type ServedRevision } from "../core";
import { heldByTensors, type Life } from "../intake";
import { readBody } from "./body";
import { chooseEncoding, compress } from "./compress";
import type { InferCall } from "./infer-call";
import { rawRequest, wantsJson } from "./raw-request";
import { underWay } from "./under-way";

const headerLengthName = "inference-header-content-length";

/** Reads an infer request, asks the core, writes the answer as it was asked for. */
export async function answerInfer(call: InferCall): Promise<void> {
  const { life, leave } = underWay(call);
  try {
    await answer(call, life);
  } finally {
    leave();
  }
}

async function answer(call: InferCall, life: Life): Promise<void> {
  const { request, response, model, revision, service, maxBodyBytes, reservation, asked } = call;
  const { codec } = service;
  const start = performance.now();
  const body = await readBody(request, { maxBytes: maxBodyBytes, reservation });
  if (asked?.keepsPayloads) asked.body = keptText(request, body);
  const parsed = await parse(codec, request, body, revision);
  reservation.add(heldByTensors(parsed.inputs));
  const readyMs = performance.now();
  const { outputs, timing } = await infer(model, revision, parsed, {
    schedulers: service.schedulers,
    traces: service.traces,
    traceparent: headerText(request.headers["traceparent"]),
    life,
    asked,
  });
  const answered = performance.now();
  reservation.addAnyway(heldByTensors(outputs));
  const id = parsed.id === "" ? randomUUID() : parsed.id;
  if (asked) asked.requestId = id;
  const { body: unpacked, headerLength } = await codec.write(
    { modelName: model, modelVersion: revision.version, id, outputs },
    parsed,
  );
  const headers: OutgoingHttpHeaders = { "content-type": "application/json" };
  if (headerLength !== null) {
    headers["content-type"] = "application/octet-stream";
    headers[headerLengthName] = headerLength;
  }
  if (request.headers[inferHeaders.timing] !== undefined) {
    const gatewayMs = readyMs - start + performance.now() - answered;
    const split: Timing = { ...timing, gatewayNs: Math.round(gatewayMs * 1e6) };
    headers[inferHeaders.timing] = JSON.stringify(split);
  }
  let message = unpacked;
  const size = Buffer.byteLength(message);
  const encoding = chooseEncoding(headerText(request.headers["accept-encoding"]), size);
  if (encoding !== null) {
    message = await compress(Buffer.from(message), encoding);
    headers["content-encoding"] = encoding;
    headers["vary"] = "Accept-Encoding";
  }
  headers["content-length"] = encoding === null ? size : message.length;
  reservation.addAnyway(size);
  service.meter.countBytes(body.length, size);
  response.writeHead(200, headers);
  response.end(message);
}

async function parse(
  codec: Codec,
  request: IncomingMessage,
  body: Uint8Array,
  revision: ServedRevision,
): Promise<InferRequest> {
  const header = headerText(request.headers[headerLengthName]);
  if (header === undefined) return codec.parse(body, {});
  if (!/^\d{1,15}$/.test(header)) {
    throw fail("INFER_INVALID", "Inference-Header-Content-Length is not a decimal number of bytes");
  }
  const headerLength = Number(header);
  if (headerLength === 0) return rawRequest(body, revision, wantsJson(request.headers.accept));
  return codec.parse(body, { headerLength });
}

/** A body of JSON alone, as it came, where it is not too long to be kept. */
function keptText(request: IncomingMessage, body: Uint8Array): string | null {
  const isJson = request.headers[headerLengthName] === undefined;
  if (!isJson || body.length > mostKeptBytes) return null;
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString();
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}
