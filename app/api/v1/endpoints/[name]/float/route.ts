import { findCpuTwin, getModelSource, requireAskable } from "@/domain/endpoints";
import { floatAnswerSchema, maxFloatRequestBytes } from "@/lib/common/contract";
import { parseInferRequest } from "@/lib/common/tensor";
import { defineHandler } from "@/lib/server/handler";
import { readBody } from "@/lib/server/http";
import { askWorker } from "../../../_shared/ask-worker";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

const workerAnswer = floatAnswerSchema.omit({ cpu: true });

export const POST = defineHandler({
  name: "endpoints.float",
  needs: "infer",
  summary:
    "What the endpoint's model itself answers to a V2 request (JSON, up to 200 kB), run by ONNX Runtime in floating point without a deploy; and which endpoint serves the same file on a CPU.",
  params: nameParams,
  rawBody: "application/json",
  response: floatAnswerSchema,
  audit: { changesNothing: true },
  handle: async ({ scope, caller, params, request, signal }) => {
    await requireAskable(caller, params.name);
    const source = await getModelSource(scope, params.name);
    const contentLength = request.headers.get("content-length");
    const limitBytes = maxFloatRequestBytes;
    const body = await readBody(request.body, { limitBytes, contentLength });
    parseInferRequest(body);
    const { url, digest } = source;
    const asked = { url, request: { kind: "float" as const, digest, request: body.toString() } };
    const [answered, cpu] = await Promise.all([
      askWorker(scope, asked, signal),
      findCpuTwin(scope, digest),
    ]);
    return { ...workerAnswer.parse(answered), cpu };
  },
});
