import { z } from "zod";
import { withGatewayUrl } from "@/app/api/v1/_shared/gateway";
import { listEndpoints } from "@/domain/endpoints";
import type { Endpoint } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { toItem } from "../isvc";

export const dynamic = "force-dynamic";

const text = z.string();
const itemSchema = z.object({
  name: text,
  modelName: text,
  protocolVersion: text,
  storageUri: text,
  url: text,
});

/** The original knows no pages. */
const most = 1000;

export const GET = defineHandler({
  name: "isvc.list",
  needs: "read",
  summary: "Endpoints as BondMachine's original interface lists its services.",
  response: z.object({ Items: z.array(itemSchema) }),
  handle: async ({ scope }) => {
    const all: Endpoint[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listEndpoints>> = await listEndpoints(scope, {
        limit: 100,
        ...(cursor === null ? {} : { cursor }),
      });
      all.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null && all.length < most);
    return { Items: all.map((endpoint) => toItem(withGatewayUrl(endpoint))) };
  },
});
