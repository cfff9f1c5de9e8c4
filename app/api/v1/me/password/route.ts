import { changePassword, readPassword, readPerson } from "@/domain/people";
import { passwordChangeSchema } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { hashPassword, isPassword, requireGoodPassword } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../../_shared/person";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "me.change-password",
  needs: "person",
  summary: "Sets a new password, by one who knows the old: they are signed out everywhere else.",
  body: passwordChangeSchema,
  audit: { refusals: ({ field }) => field === "current" },
  handle: async ({ caller, body: { current, password } }) => {
    const person = personOf(caller);
    const { name, email } = await readPerson(person.userId);
    requireGoodPassword(password, [name, email ?? ""]);
    const hash = await readPassword(person.userId);
    if (hash === null || !(await isPassword(current, hash)))
      throw fail("VALIDATION", "That is not your password.", { field: "current" });
    await changePassword(person, await hashPassword(password));
    return undefined;
  },
});
