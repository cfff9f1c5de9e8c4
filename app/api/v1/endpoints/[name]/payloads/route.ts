import { setPayloadsKept } from "@/domain/traffic";
import { payloadsKeptSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "payloads.keep",
  needs: "deploy",
  summary: "Has the bodies of an endpoint's last requests kept from now on. Again is no error.",
  params: nameParams,
  response: payloadsKeptSchema,
  handle: async ({ scope, params }) => {
    await setPayloadsKept(scope, params.name, true);
    return { keepsPayloads: true };
  },
});

export const DELETE = defineHandler({
  name: "payloads.drop",
  needs: "deploy",
  summary: "Keeps bodies of an endpoint's requests no more, and deletes those that were kept.",
  params: nameParams,
  response: payloadsKeptSchema,
  handle: async ({ scope, params }) => {
    await setPayloadsKept(scope, params.name, false);
    return { keepsPayloads: false };
  },
});
