import { attach, listAttachments } from "@/domain/board-servers";
import { attachmentSchema, newAttachmentSchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "attachments.list",
  needs: "read",
  summary: "Boards at addresses, with how far their trials are.",
  response: pageOf(attachmentSchema),
  handle: async () => ({ items: await listAttachments(), nextCursor: null }),
});

export const POST = defineHandler({
  name: "attachments.create",
  needs: "admin",
  summary: "Attaches the board at an address, and tries it by one load and one prediction.",
  body: newAttachmentSchema,
  response: attachmentSchema,
  status: 201,
  handle: ({ body }) => attach(body),
});
