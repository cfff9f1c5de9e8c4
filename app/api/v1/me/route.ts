import { listProjects, readPerson } from "@/domain/people";
import { meSchema } from "@/lib/common/contract";
import { hasAccounts } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "me.read",
  needs: "person",
  summary: "Who asks, what they may do, and the projects that they are in.",
  response: meSchema,
  handle: async ({ caller }) => {
    const { userId, rights, project } = caller;
    const known = { hasAccounts: hasAccounts(), rights: [...rights] };
    if (userId === null)
      return { ...known, id: null, name: null, email: null, isAdmin: true, projects: [] };
    const [person, projects] = await Promise.all([
      readPerson(userId),
      listProjects(userId, project),
    ]);
    return { ...known, ...person, projects };
  },
});
