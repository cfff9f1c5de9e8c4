import { parseInferRequest, writeInferResponse } from "@/lib/common/tensor";
import { answerThread } from "@/lib/server/process";
import type { CodecRequest } from "./codec";

answerThread((request: CodecRequest) =>
  request.kind === "parse"
    ? parseInferRequest(request.body, request.options)
    : writeInferResponse(request.response, request.selection),
);
