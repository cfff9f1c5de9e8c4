import { askOnLease } from "@/domain/lease-calls";
import { mostRowsBytes } from "@/lib/common/contract";
import { parseInferRequest } from "@/lib/common/tensor";
import { defineHandler } from "@/lib/server/handler";
import { readBody } from "@/lib/server/http";
import { idParams } from "../../../_shared/params";
import { askerOf } from "../../asker";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "leases.infer",
  needs: "deploy",
  counts: "paced",
  summary:
    "Asks what is loaded on a leased board: a V2 request of up to 64 KiB, answered with `answer`, the V2 answer, and `timing`. For its holder alone.",
  params: idParams,
  rawBody: "application/json",
  rawResponse: "application/json",
  audit: { changesNothing: true },
  handle: async ({ caller, params, request, signal }) => {
    const limitBytes = mostRowsBytes.request;
    const contentLength = request.headers.get("content-length");
    const body = await readBody(request.body, { limitBytes, contentLength });
    // What is no request at all is refused before anybody is asked.
    parseInferRequest(body);
    const text = await askOnLease(askerOf(caller), params.id, body.toString("utf8"), signal);
    return new Response(text, { headers: { "content-type": "application/json" } });
  },
});
