import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "@/app/api/v1/openapi.json/routes";
import { until } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { headersOf, inviteTo, type Joined, joinAsOwner, writeAs } from "@/tests/support/joined";
import { pair } from "@/tests/support/pair";

// Two people of different projects read everything by turns, in every way that a cache might take for the same: neither is ever
// given anything of the other's.

interface Person extends Joined {
  /** Stands in the name of everything that is theirs. */
  readonly mark: string;
  /** Ids of theirs, by the collection that they are of. */
  readonly ids: Map<string, string>;
}

let installation: Installation;
let people: readonly [Person, Person];

beforeAll(async () => {
  installation = await startInstallation("e2e-two-people", {
    variables: { BOARDWALK_ACCOUNTS: "on", BOARDWALK_OWNER_TOKEN: "a-key-of-the-launcher-alone" },
  });
  const owner = await joinAsOwner(installation, "ada");
  const other = await writeAs(installation, owner, ["/projects", { name: "ben-only" }]);
  const marked = async (name: string): Promise<Person> => ({
    ...(await inviteTo(installation, owner, name)),
    mark: `${name}-only`,
    ids: new Map(),
  });
  const cleo = await marked("cleo");
  await writeAs(installation, owner, ["/me/project", { project: other["id"] }]);
  const ben = await marked("ben");
  people = [ben, cleo];
  for (const person of people) await fill(person);
}, 300_000);
afterAll(async () => {
  await installation?.stop();
});

/** Makes one of everything that a list or a page shows, each with its owner's mark. */
async function fill(who: Person): Promise<void> {
  const { mark, ids } = who;
  const headers = headersOf(installation, who);
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(pair.model)]), `${mark}.onnx`);
  const model = await installation.api("/models", { method: "POST", body: form, headers });
  const { url } = model.body as { url: string };
  const deployed = {
    name: mark,
    engine: "onnx",
    model: { url, card: pair.card },
    board: { model: "cpu", kind: "cpu" },
  };
  const made = await writeAs(installation, who, ["/endpoints", deployed]);
  ids.set("builds", String(made["buildId"]));
  ids.set("endpoints", mark);
  const content = { engine: "boardwalk", options: {} };
  const keep = async (collection: string, json: object) => {
    const { id } = await writeAs(installation, who, [`/${collection}`, json]);
    ids.set(collection, String(id));
  };
  await keep("recipes", { name: mark, content });
  await keep("tokens", { name: mark, scopes: ["read"] });
  await keep("invitations", { role: "viewer", note: mark });
  await keep("connections", { name: mark, kind: "huggingface", place: {}, untested: true });
  await keep("notifications/webhooks", {
    url: `https://${mark}.lab.test/x`,
    events: ["build.failed"],
  });
  await until("the endpoint", async () => {
    const { body } = await installation.api(`/endpoints/${mark}`, { headers });
    return (body as { state: string }).state === "ready";
  });
  for (const [list, key] of [
    ["models", "id"],
    ["artifacts", "digest"],
  ] as const) {
    const { body } = await installation.api(`/${list}`, { headers });
    const [item] = (body as { items: Record<string, string>[] }).items;
    if (item) ids.set(list, String(item[key]));
  }
}

/** Answers that do not end, and those that change with each call. */
const spared = /\/(events|stream|log|status-stream)$/;

/** Every path that reads, with somebody's own ids. */
function pathsOf({ ids }: Person): string[] {
  const api = Object.entries(routes).flatMap(([path, module]) => {
    if (!("GET" in module) || spared.test(path)) return [];
    const collection = [...ids.keys()].find((each) => path.startsWith(`/${each}/{`));
    const own = path.replace(/\{\w+\}/, ids.get(collection ?? "") ?? "nothing");
    return [`/api/v1${own.replaceAll(/\{\w+\}/g, "1")}`];
  });
  const page = (collection: string, place = `/${collection}`) =>
    ids.has(collection) ? [`${place}/${encodeURIComponent(ids.get(collection) ?? "")}`] : [];
  const tabs = ["overview", "requests", "log", "settings", "revisions"];
  const sections = ["tokens", "quotas", "audit", "people", "connections", "account", "activity"];
  return [
    ...api,
    ...["/", "/builds", "/endpoints", "/models", "/boards", "/firmware", "/deploy", "/toolchains"],
    ...page("builds"),
    ...page("models"),
    ...page("artifacts", "/firmware"),
    ...page("endpoints").flatMap((each) => [each, ...tabs.map((tab) => `${each}?tab=${tab}`)]),
    ...["notifications", ...sections].map((each) => `/settings/${each}`),
    ...["/list_isvc", "/v2/models", "/v2/repository/index"],
  ];
}

interface Way {
  readonly name: string;
  readonly address?: (path: string) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}
const suffixed = (ending: string) => (path: string) => path.replace(/(?=\?|$)/, ending);
const ways: readonly Way[] = [
  { name: "plainly" },
  {
    name: "as the router does",
    address: (path) => `${path}${path.includes("?") ? "&" : "?"}_rsc=1x`,
    headers: { rsc: "1", "next-router-prefetch": "1" },
  },
  { name: "with .rsc", address: suffixed(".rsc") },
  { name: "as data", address: (path) => `/_next/data/build${suffixed(".json")(path)}` },
  { name: "by HEAD", method: "HEAD" },
  { name: "a part", headers: { range: "bytes=0-4095" } },
  { name: "with another's address in front", headers: { "x-forwarded-host": "lab.test" } },
];

/** What is wrong with an answer to one of two people. @param owner Whose path it is; null: everybody's. */
function faultsOf(
  { answer, text }: Answered,
  who: Person,
  { path, owner }: { readonly path: string; readonly owner: Person | null },
): string[] {
  const other = otherThan(who);
  const told = `${text} ${[...answer.headers.values()].join()}`;
  // Whoever names something of the other's is told that there is none of that name.
  const said = owner === other ? withoutEcho(told, path) : told;
  // Equal models have one artifact, whoever has them built.
  const own = new Set(who.ids.values());
  const theirs = [other.mark, ...other.ids.values()].filter((id) => !own.has(id));
  const kept = answer.headers.get("cache-control") ?? "";
  const mayBeKept = answer.status === 200 && !/no-store|private/.test(kept) && !isForAll(path);
  return [
    ...theirs.filter((id) => said.includes(id)),
    ...(mayBeKept ? [`cache-control ${kept}`] : []),
  ].map((fault) => `${path} for ${who.name}: ${fault}`);
}

const otherThan = (who: Person): Person => (who === people[0] ? people[1] : people[0]);

interface Answered {
  readonly answer: Response;
  readonly text: string;
}

describe("what two people read by turns", () => {
  it.each(ways)("$name is never the other's, and kept by nobody between", async (way) => {
    const { address = (path: string) => path, headers = {}, method = "GET" } = way;
    const ask = async (who: Person, path: string, more = {}): Promise<Answered> => {
      const answer = await fetch(installation.portalUrl + address(path), {
        method,
        redirect: "manual",
        headers: { ...headersOf(installation, who), ...headers, ...more },
      });
      return { answer, text: await answer.text() };
    };
    const owners = new Map<string, Person | null>();
    for (const who of people)
      for (const path of pathsOf(who)) owners.set(path, owners.has(path) ? null : who);
    const wrong: string[] = [];
    let read = 0;
    for (const [first, second] of [people, people.toReversed() as [Person, Person]])
      for (const [path, owner] of owners)
        for (const who of [first, second, first, second]) {
          const answered = await ask(who, path);
          wrong.push(...faultsOf(answered, who, { path, owner }));
          const tag = answered.answer.headers.get("etag");
          if (tag !== null && owner === who) {
            const { answer } = await ask(otherThan(who), path, { "if-none-match": tag });
            if (answer.status === 304) wrong.push(`${path}: 304 to another's tag`);
          }
          read++;
        }
    console.info(`${way.name}: ${read} answers read`);
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(1000);
  });
});

/** What anybody may know, signed in or not. */
const isForAll = (path: string): boolean =>
  /openapi|healthz|\/v2\/|\/errors|\/engines|\/board-models|\/session$/.test(path);
function withoutEcho(text: string, path: string): string {
  const named = decodeURIComponent(path).split(/[/?=&]/);
  return named
    .filter((part) => part.length > 3)
    .reduce(
      (rest, part) => rest.replaceAll(part, "").replaceAll(encodeURIComponent(part), ""),
      text,
    );
}
