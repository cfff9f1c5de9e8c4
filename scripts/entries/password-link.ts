import { allowOwnReset } from "@/domain/people";
import { makeTokenText } from "@/lib/server/auth";
import { openProcess } from "@/lib/server/process";

// Prints the code of a link by which somebody sets another password; nothing, where nobody has an account with this e-mail address.

openProcess();
const [email = ""] = process.argv.slice(2);
const { text, digest } = makeTokenText("reset");
if (await allowOwnReset(email, digest)) process.stdout.write(`${text}\n`);
process.exit(0);
