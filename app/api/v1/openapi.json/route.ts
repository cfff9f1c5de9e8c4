import { portalEnv } from "@/lib/server/env";
import { defineHandler, Reply } from "@/lib/server/handler";
import { openApiDocument } from "./openapi";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "openapi",
  needs: "read",
  summary: "This description.",
  rawResponse: "application/json",
  handle: async () => new Reply(200, openApiDocument(portalEnv().PORTAL_URL.replace(/\/$/, ""))),
});
