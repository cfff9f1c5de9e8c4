import { z } from "zod";
import { deleteEndpoint, getEndpoint } from "@/domain/endpoints";
import { defineHandler } from "@/lib/server/handler";
import { sayAsOriginal } from "../isvc";

export const dynamic = "force-dynamic";

const words = { done: "Successfully deleted resource", failed: "Error deleting resource" };

export const POST = defineHandler({
  name: "isvc.delete",
  needs: "deploy",
  summary: "Ends an endpoint as BondMachine's original interface asks it.",
  body: z.looseObject({ isvcname: z.string() }),
  handle: ({ scope, body: { isvcname } }) =>
    sayAsOriginal(words, async () => {
      await getEndpoint(scope, isvcname);
      await deleteEndpoint(scope, isvcname);
    }),
});
