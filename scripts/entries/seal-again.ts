import { sealConnectionsAgain } from "@/domain/connections";
import { sealWebhooksAgain } from "@/domain/notifications";
import { checkSchemaVersion } from "@/lib/server/db";
import { connectionKeyFile, sealingEnv } from "@/lib/server/env";
import { openProcess } from "@/lib/server/process";
import { line } from "@/scripts/lib/say.mjs";

// Seals stored secrets with the first key of the key file, and says whether the older keys may go: with status 1 where one may be wanted yet.

openProcess();
const env = sealingEnv();
await checkSchemaVersion(env.DATABASE_URL);
const keyFile = connectionKeyFile(env);
const found = [await sealConnectionsAgain(keyFile), await sealWebhooksAgain(keyFile)];
const failed = found.flatMap((each) => each.failed);
const sum = (of: "again" | "already") => found.reduce((all, each) => all + each[of], 0);
line(
  `Sealed again with the first key of ${keyFile}: ${sum("again")}. Sealed with it already: ${sum("already")}.`,
);
for (const { name, error } of failed)
  line(`Not opened: the secret of the ${name}. ${error.message} ${error.hint}`);
line(
  failed.length === 0
    ? "The older keys may go: take their lines out of the file."
    : `${failed.length} could not be opened. Leave the older keys in the file, mend these, and run this again.`,
);
process.exit(failed.length === 0 ? 0 : 1);
