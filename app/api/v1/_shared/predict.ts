import { z } from "zod";
import { internalGatewayUrl } from "@/app/gateway-url";
import { fail } from "@/lib/common/errors";
import { readBody } from "@/lib/server/http";
import { gatewayRefusal } from "./gateway-refusal";

/** As the gateway's own. */
const limitBytes = 64 << 20;
const timeoutMs = 60_000;
const timingHeader = "x-bw-timing";

/**
 * Passes a V2 request to the gateway and its answer back, byte by byte: no number of a tensor is parsed on the way. `timing` is
 * put in front of the answer's first member.
 *
 * @throws {AppError} `UPSTREAM_RESET` when the gateway does not answer, `BODY_TOO_LARGE`, and whatever the gateway says.
 */
export async function predict(name: string, request: Request): Promise<Response> {
  const contentLength = request.headers.get("content-length");
  const body = await readBody(request.body, { limitBytes, contentLength });
  const answer = await fetch(
    `${internalGatewayUrl()}/v2/models/${encodeURIComponent(name)}/infer`,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept-encoding": "identity",
        [timingHeader]: "1",
      },
      body: new Uint8Array(body),
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
    },
  ).catch((cause: unknown) => {
    throw fail("UPSTREAM_RESET", "The gateway does not answer.", { cause });
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw gatewayRefusal(answer.status, bytes);
  const timing = answer.headers.get(timingHeader);
  return new Response(new Uint8Array(timing ? splice(bytes, timing) : bytes), {
    headers: { "content-type": "application/json" },
  });
}

/** `{"outputs":…}` becomes `{"timing":…,"outputs":…}`. */
function splice(bytes: Buffer, timing: string): Buffer {
  const brace = bytes.indexOf("{");
  if (brace < 0 || !z.record(z.string(), z.unknown()).safeParse(JSON.parse(timing)).success)
    return bytes;
  const rest = bytes.subarray(brace + 1);
  const isEmpty = /^\s*}/.test(rest.subarray(0, 64).toString());
  return Buffer.concat([Buffer.from(`{"timing":${timing}${isEmpty ? "" : ","}`), rest]);
}
