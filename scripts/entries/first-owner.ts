import { inviteFirstOwner } from "@/domain/people";
import { makeTokenText } from "@/lib/server/auth";
import { openProcess } from "@/lib/server/process";

// Prints the code of a link that makes the first owner; nothing, where there are people already.

openProcess();
const { text, digest } = makeTokenText("invite");
if (await inviteFirstOwner(digest)) process.stdout.write(`${text}\n`);
process.exit(0);
