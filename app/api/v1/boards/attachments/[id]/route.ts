import { z } from "zod";
import { detach, getAttachment } from "@/domain/board-servers";
import { attachmentSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "attachments.get",
  needs: "read",
  summary: "One board at an address, with how far its trial is.",
  params: idParams,
  response: attachmentSchema,
  handle: ({ params }) => getAttachment(params.id),
});

export const DELETE = defineHandler({
  name: "attachments.delete",
  needs: "admin",
  summary: "Gives up a board at an address that nothing is deployed on.",
  params: idParams,
  response: z.strictObject({}),
  handle: async ({ params }) => {
    await detach(params.id);
    return {};
  },
});
