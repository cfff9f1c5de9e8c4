import { makeProject } from "@/domain/people";
import { newProjectSchema, projectSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../_shared/person";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "projects.create",
  needs: "admin",
  summary: "Makes a project, of which whoever makes it is the admin.",
  body: newProjectSchema,
  response: projectSchema,
  status: 201,
  handle: async ({ caller, body }) => await makeProject(personOf(caller).userId, body.name),
});
