import { listLinks, makeLink } from "@/domain/tokens";
import {
  endpointLinkSchema,
  madeEndpointLinkSchema,
  newEndpointLinkSchema,
  pageOf,
} from "@/lib/common/contract";
import { makeTokenText } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";
import { secretLink } from "../../../_shared/secret-link";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "endpoints.listLinks",
  needs: "deploy",
  summary: "Links to an endpoint that were not revoked, newest first, without their addresses.",
  params: nameParams,
  response: pageOf(endpointLinkSchema),
  handle: async ({ scope, params: { name } }) => ({
    items: await listLinks(scope, name),
    nextCursor: null,
  }),
});

export const POST = defineHandler({
  name: "endpoints.makeLink",
  needs: "deploy",
  summary:
    "Makes a link: whoever has it may ask the endpoint, without an account. This answer alone holds it. It is good for 90 days if nothing is said, 365 at most.",
  params: nameParams,
  body: newEndpointLinkSchema,
  response: madeEndpointLinkSchema,
  status: 201,
  handle: async ({ scope, caller, params: { name }, body }) => {
    const { text, ...kept } = makeTokenText("link");
    const link = await makeLink(scope, name, body, { text: kept, userId: caller.personId });
    return { ...link, url: secretLink(`/shared/${encodeURIComponent(name)}`, text) };
  },
});
