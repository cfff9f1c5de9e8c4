import { modelSources } from "@/app/api/v1/_shared/model-sources";
import { once } from "@/app/api/v1/_shared/once";
import { usualAccess } from "@/app/api/v1/_shared/usual-access";
import { prepareDeploy } from "@/domain/endpoints";
import { defineHandler } from "@/lib/server/handler";
import { newServiceSchema, sayAsOriginal, toDeploy } from "../isvc";

export const dynamic = "force-dynamic";

const words = { done: "Successfully submitted", failed: "Error creating resource" };

export const POST = defineHandler({
  name: "isvc.create",
  needs: "deploy",
  counts: "submit",
  summary: "Deploys what BondMachine's original interface asks for.",
  body: newServiceSchema,
  handle: ({ caller, scope, body, idempotencyKey }) =>
    sayAsOriginal(words, async () => {
      await once({ scope, idempotencyKey, body }, 200, async () =>
        prepareDeploy(
          scope,
          { access: usualAccess(), ...(await toDeploy(scope, body)) },
          { sources: await modelSources(scope), personId: caller.personId },
        ),
      );
    }),
});
