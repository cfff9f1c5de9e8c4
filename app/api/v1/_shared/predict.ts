import { z } from "zod";
import { gatewayGrpcAddress, internalGatewayUrl } from "@/app/gateway-url";
import type { PredictQuery } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { joinMessage, parseInferRequest, writeInferResponse } from "@/lib/common/tensor";
import { type Caller, portalAskerHeader, portalToken } from "@/lib/server/auth";
import { readBody } from "@/lib/server/http";
import { inferOverGrpc } from "@/lib/server/inference-client";
import { gatewayRefusal } from "./gateway-refusal";

/** As the gateway's own. */
const limitBytes = 64 << 20;
const timeoutMs = 60_000;
const timingHeader = "x-bw-timing";
/** The split of the time of an answer that is no JSON alone, for pages. */
const shownTimingHeader = "boardwalk-timing";
const headerLengthHeader = "inference-header-content-length";

/** Whom a prediction is for, and how it travels. */
export interface PredictChoice extends PredictQuery {
  readonly name: string;
  readonly caller: Pick<Caller, "kind" | "personId" | "credentialId">;
}

/**
 * Passes a V2 request to the gateway and its answer back, byte by byte: no number of a tensor is parsed on the way. `timing` is
 * put in front of the first member of an answer in JSON, and into a header of one with blobs. Over gRPC, which no browser can
 * send, the call is made from here.
 *
 * @throws {AppError} `UPSTREAM_RESET` when the gateway does not answer, `BODY_TOO_LARGE`, and whatever the gateway says.
 */
export async function predict(choice: PredictChoice, request: Request): Promise<Response> {
  const contentLength = request.headers.get("content-length");
  const body = await readBody(request.body, { limitBytes, contentLength });
  if (choice.protocol === "grpc") return await overGrpc(choice, request, body);
  const isBinary = choice.protocol === "binary";
  const headerLength = isBinary ? request.headers.get(headerLengthHeader) : null;
  const answer = await fetch(internalGatewayUrl() + pathOf(choice), {
    method: "POST",
    headers: {
      "content-type": headerLength === null ? "application/json" : "application/octet-stream",
      "accept-encoding": "identity",
      ...(await shownFor(choice)),
      [timingHeader]: "1",
      ...(headerLength === null ? {} : { [headerLengthHeader]: headerLength }),
    },
    body: new Uint8Array(body),
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
  }).catch((cause: unknown) => {
    throw fail("UPSTREAM_RESET", "The gateway does not answer.", { cause });
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw gatewayRefusal(answer.status, bytes);
  const timing = answer.headers.get(timingHeader);
  const answered = answer.headers.get(headerLengthHeader);
  if (answered !== null) {
    return new Response(new Uint8Array(bytes), {
      headers: {
        "content-type": "application/octet-stream",
        [headerLengthHeader]: answered,
        ...(timing ? { [shownTimingHeader]: timing } : {}),
      },
    });
  }
  return jsonResponse(timing ? splice(bytes, timing) : bytes);
}

/** The portal's own token, and for whom it asks, so that they are counted as with a token of theirs. */
async function shownFor({ caller }: PredictChoice): Promise<Readonly<Record<string, string>>> {
  const asker = caller.personId ?? (caller.kind === "token" ? caller.credentialId : null);
  return {
    authorization: `Bearer ${await portalToken()}`,
    ...(asker === null ? {} : { [portalAskerHeader]: asker }),
  };
}

function pathOf({ name, revision }: PredictChoice): string {
  const version = revision === undefined ? "" : `/versions/${revision}`;
  return `/v2/models/${encodeURIComponent(name)}${version}/infer`;
}

async function overGrpc(choice: PredictChoice, request: Request, body: Buffer): Promise<Response> {
  const { name, revision } = choice;
  const asked = { model: name, version: revision === undefined ? "" : String(revision) };
  const { response, timing } = await inferOverGrpc(
    gatewayGrpcAddress(),
    { ...asked, request: parseInferRequest(body) },
    { timeoutMs, signal: request.signal, metadata: await shownFor(choice) },
  );
  const message = writeInferResponse(response, { outputs: [], binaryOutput: false });
  const bytes = Buffer.from(joinMessage(message).body);
  return jsonResponse(timing ? splice(bytes, timing) : bytes);
}

const jsonResponse = (bytes: Buffer): Response =>
  new Response(new Uint8Array(bytes), { headers: { "content-type": "application/json" } });

/** `{"outputs":…}` becomes `{"timing":…,"outputs":…}`. */
function splice(bytes: Buffer, timing: string): Buffer {
  const brace = bytes.indexOf("{");
  if (brace < 0 || !z.record(z.string(), z.unknown()).safeParse(JSON.parse(timing)).success)
    return bytes;
  const rest = bytes.subarray(brace + 1);
  const isEmpty = /^\s*}/.test(rest.subarray(0, 64).toString());
  return Buffer.concat([Buffer.from(`{"timing":${timing}${isEmpty ? "" : ","}`), rest]);
}
