import { chooseProject } from "@/domain/people";
import { projectChoiceSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../../_shared/person";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "me.choose-project",
  needs: "person",
  summary: "Has the pages of this session show another project.",
  body: projectChoiceSchema,
  handle: async ({ caller, body }) => {
    await chooseProject(personOf(caller), body.project);
    return undefined;
  },
});
