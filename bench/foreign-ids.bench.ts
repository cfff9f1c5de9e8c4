import { randomInt } from "node:crypto";
import { startInstallation } from "@/tests/support/installation";
import { headersOf, inviteTo, type Joined, joinAsOwner, writeAs } from "@/tests/support/joined";
import { quantile } from "./quantile";

/**
 * Whether the time of an answer tells that an id is another project's: `npm run bench -- foreign-ids REQUESTS`. Ids that are another's
 * and ids that are nobody's are asked for in turns, each first by the throw of a coin. Beside the medians: in how many of the pairs the foreign one took
 * longer. Without a difference that is a half, give or take 3 standard deviations of as many throws.
 */
const requests = Number(process.argv[2] ?? 1000);
const say = (text: string) => process.stdout.write(`${text}\n`);

const installation = await startInstallation("bench-foreign-ids", {
  variables: {
    BOARDWALK_ACCOUNTS: "on",
    BOARDWALK_OWNER_TOKEN: "a-key-of-the-launcher-alone",
    PAGE_REQUESTS_PER_MINUTE: "1000000",
  },
});
let tells = 0;
try {
  const owner = await joinAsOwner(installation, "ada");
  const other = await writeAs(installation, owner, ["/projects", { name: "other" }]);
  const here = await inviteTo(installation, owner, "cleo");
  await writeAs(installation, owner, ["/me/project", { project: other["id"] }]);
  const there = await inviteTo(installation, owner, "ben");
  const foreign = await makeSome(there);
  say(`${requests} pairs each; ms`);
  say("path          foreign p50  absent p50   foreign took longer");
  for (const [collection, id] of foreign) await compare(here, collection, id);
} finally {
  await installation.stop();
}
process.exit(tells === 0 ? 0 : 1);

/** One of each that is found by an id. */
async function makeSome(who: Joined): Promise<readonly (readonly [string, string])[]> {
  const deployed = await writeAs(installation, who, [
    "/endpoints",
    {
      name: "theirs",
      engine: "onnx",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "cpu", kind: "cpu" },
    },
  ]);
  const recipe = { name: "theirs", content: { engine: "boardwalk", options: {} } };
  const made = await writeAs(installation, who, ["/recipes", recipe]);
  const { body } = await installation.api("/models", { headers: headersOf(installation, who) });
  const [model] = (body as { items: { id: string }[] }).items;
  return [
    ["endpoints", "theirs"],
    ["builds", String(deployed["buildId"])],
    ["recipes", String(made["id"])],
    ...(model ? [["models", model.id] as const] : []),
  ];
}

async function compare(who: Joined, collection: string, foreign: string): Promise<void> {
  // Of the same form, and of nobody.
  const absent = foreign.includes("_") ? `${foreign.slice(0, -4)}0000` : "absent";
  const headers = headersOf(installation, who);
  const timed = async (id: string): Promise<number> => {
    const fromMs = performance.now();
    const { status } = await installation.api(`/${collection}/${id}`, { headers });
    if (status !== 404) throw new Error(`${collection}/${id}: ${status}`);
    return performance.now() - fromMs;
  };
  const tookMs = { foreign: [] as number[], absent: [] as number[] };
  let longer = 0;
  for (let n = 0; n < requests + 50; n++) {
    const isFirst = randomInt(2) === 0;
    const first = await timed(isFirst ? foreign : absent);
    const second = await timed(isFirst ? absent : foreign);
    // The first ones warm up.
    if (n < 50) continue;
    const [ofForeign, ofAbsent] = isFirst ? [first, second] : [second, first];
    tookMs.foreign.push(ofForeign);
    tookMs.absent.push(ofAbsent);
    if (ofForeign > ofAbsent) longer++;
  }
  const most = 0.5 + 1.5 / Math.sqrt(requests);
  const share = longer / requests;
  if (share > most || share < 1 - most) tells++;
  const p50 = (list: readonly number[]) => quantile(list, 0.5).toFixed(2).padStart(8);
  say(
    `${collection.padEnd(12)} ${p50(tookMs.foreign)}     ${p50(tookMs.absent)}    ${(100 * share).toFixed(1)} % of pairs`,
  );
}
