import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { httpStatusOf, isAppError } from "@/lib/common/errors";
import { FileStore } from "@/lib/server/storage";
import { fetchSource, type SourceSettings } from "@/workers/fetch";
import { eachCase, type Outcome } from "../each-case";
import { chance, pick, randomOf } from "../random-of";
import { fuzz } from "../settings";
import type { OddServer } from "./odd-server";
import { oddUrl } from "./odd-urls";

const abreast = 8;
const limitBytes = 2000;
/** What a name of the public leads to: always at least one place that models are not fetched from. */
const answers = [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["fd00::1"], ["::ffff:127.0.0.1"], []];

/** Fetches from addresses made by seed, half of them of a server that answers oddly. */
export async function fetchMuch(server: OddServer, count: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "bw-fs-"));
  try {
    return await eachCase(count, {
      abreast,
      async tryOne(number) {
        const random = randomOf(fuzz.seed, number);
        const url = chance(2, random) ? `https://${server.listed}/m` : oddUrl(random, server);
        const settings: SourceSettings = {
          policy: { allowedHosts: [server.listed] },
          connections: [],
          credentials: {},
          ca: server.ca,
          resolve: async () => pick(answers, random),
          pace: { bytesPerWindow: 1, windowMs: 30_000 },
          firstWaitMs: 10,
        };
        const path = join(folder, `${number}`);
        const options = {
          projectId: "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3",
          storage: new FileStore(join(folder, "store")),
          ...{ path, limitBytes, settings, retryForMs: 0 },
        };
        const shown = JSON.stringify(url).slice(0, 200);
        const said = await fetchSource(url, options).then(
          ({ sizeBytes }) => (sizeBytes > limitBytes ? "a fault: too large" : "fetched"),
          wordOf,
        );
        const isLeft = said !== "fetched" && existsSync(path);
        rmSync(path, { force: true });
        const wrong = isLeft ? "a fault: it left a file" : said;
        if (server.strangers() > 0) return { said: [], fault: `${shown} led astray` };
        return {
          said: [said.slice(0, 60)],
          fault: wrong.startsWith("a fault") ? `${shown}: ${wrong}` : null,
        };
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wordOf(thrown: unknown): string {
  if (!isAppError(thrown)) return `a fault: ${thrown instanceof Error ? thrown.stack : thrown}`;
  const isOurs = httpStatusOf(thrown) >= 500 && thrown.reason !== "SOURCE_UNAVAILABLE";
  return isOurs ? `a fault: ${thrown.reason}` : thrown.reason;
}
