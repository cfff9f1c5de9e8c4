/** What a page shows and does, as calls of the API: paths with their query below the portal's address, and whole commands. */
export interface PageCalls {
  /** Paths that answer GET with what the page shows. */
  readonly reads: readonly string[];
  /** Commands that do what the page is for; `$BOARDWALK_URL` is the portal's address. */
  readonly commands: readonly string[];
}

type Address = { readonly parts: readonly string[]; readonly search: URLSearchParams };

const api = "/api/v1";
const none: PageCalls = { reads: [], commands: [] };

/** What lists of the API take, by the very names that the pages' addresses have. */
const filters = ["state", "engine", "board", "kind", "server", "search", "since"];

/** The calls behind a page. @param pathname As the browser has it, percent-encoded. */
export function callsOf(pathname: string, search: URLSearchParams): PageCalls {
  const [first = "", ...parts] = pathname.split("/").slice(1).filter(Boolean).map(asPart);
  const name = first === "" ? "home" : first;
  return (Object.hasOwn(pages, name) ? pages[name]?.({ parts, search }) : null) ?? none;
}

/** A path as a command that asks for it. */
export const curlOf = (path: string, options = "-sS"): string =>
  `curl ${options} "$BOARDWALK_URL${path}"`;

const pages: Readonly<Record<string, (address: Address) => PageCalls>> = {
  home: () => ({
    reads: [`${api}/builds/overview`, `${api}/endpoints?limit=50`, `${api}/boards?limit=50`],
    commands: [
      post(
        `${api}/endpoints`,
        '{"name":"iris","engine":"boardwalk","model":{"url":"s3://boardwalk-samples/iris-mlp/model.onnx"},"board":{"model":"icebreaker","kind":"simulated"}}',
      ),
    ],
  }),
  // The form has its own command beside its button, filled with what is typed.
  deploy: () => ({
    reads: [`${api}/engines`, `${api}/board-models`, `${api}/boards?limit=50`],
    commands: [],
  }),
  models: ({ parts: [id], search }) =>
    id === undefined
      ? list("models", search, [`curl -sS -F file=@model.onnx "$BOARDWALK_URL${api}/models"`])
      : {
          reads: [`${api}/models/${id}`, `${api}/models/${id}/builds`],
          commands: [post(`${api}/models/${id}/look`, "{}")],
        },
  builds: ({ parts: [id], search }) => {
    if (id === undefined) {
      const window = search.get("trend") === "7d" ? "7d" : "24h";
      const answer = list("builds", search);
      const more = [`${api}/builds/queue`, `${api}/builds/trend?window=${window}`];
      return { ...answer, reads: [...answer.reads, ...more] };
    }
    if (id === "compare") return { reads: comparedIn(search), commands: [] };
    const attempt = query(search, ["attempt"]);
    return {
      reads: [
        `${api}/builds/${id}`,
        `${api}/builds/${id}/timeline`,
        `${api}/builds/${id}/log${attempt === "" ? "?" : `${attempt}&`}from=1&limit=1000`,
      ],
      commands: [
        curlOf(`${api}/builds/${id}/log${attempt}`, "-N -H 'Accept: text/event-stream'"),
        curlOf(
          `${api}/builds/${id}/log${attempt === "" ? "?" : `${attempt}&`}format=text`,
          "-sS -o build.log",
        ),
      ],
    };
  },
  boards: ({ parts: [id], search }) =>
    id === undefined
      ? list("boards", search)
      : {
          reads: [
            `${api}/boards/${id}`,
            `${api}/boards/${id}/availability?range=${search.get("range") === "30d" ? "30d" : "24h"}`,
            `${api}/boards/${id}/history${query(search, ["part", ["after", "cursor"]])}`,
            `${api}/boards/${id}/artifacts?limit=20`,
          ],
          commands: [
            `curl -sS -X POST "$BOARDWALK_URL${api}/boards/${id}/self-test"`,
            post(`${api}/leases`, `{"board":{"id":"${id}"},"minutes":60}`),
          ],
        },
  endpoints: ({ parts: [name], search }) =>
    name === undefined
      ? list("endpoints", search)
      : {
          reads: [`${api}/endpoints/${name}`, ...readsOfTab(name, search)],
          commands: [
            curlOf(`/v2/models/${name}`),
            `curl -sS -H 'Content-Type: application/json' -d @request.json "$BOARDWALK_URL/v2/models/${name}/infer"`,
          ],
        },
  firmware: ({ parts: [digest], search }) =>
    digest === undefined
      ? list("artifacts", search, [
          `curl -sS -F file=@artifact.tar "$BOARDWALK_URL${api}/artifacts"`,
        ])
      : {
          reads: [`${api}/artifacts/${digest}`],
          commands: [curlOf(`${api}/artifacts/${digest}/archive`, "-sS -o artifact.tar")],
        },
  toolchains: () => ({
    reads: [`${api}/doctor`, `${api}/engines`, `${api}/forecasts`],
    commands: ["npm run doctor"],
  }),
  settings: ({ parts: [section = ""] }) =>
    (Object.hasOwn(settings, section) ? settings[section] : null) ?? none,
};

const settings: Readonly<Record<string, PageCalls>> = {
  notifications: {
    reads: [`${api}/notifications`, `${api}/notifications/deliveries?limit=20`],
    commands: [],
  },
  tokens: {
    reads: [`${api}/tokens`],
    commands: [
      curlOf(
        `${api}/tokens`,
        `-sS -H 'Content-Type: application/json' -d '{"name":"a program","scopes":["infer"]}'`,
      ),
    ],
  },
  activity: { reads: [`${api}/activity`], commands: [] },
  connections: {
    reads: [`${api}/connections`, `${api}/settings/connections`],
    commands: [
      curlOf(
        `${api}/connections`,
        `-sS -H 'Content-Type: application/json' -d '{"name":"hub","kind":"huggingface","place":{},"secret":{"token":"…"}}'`,
      ),
    ],
  },
  doctor: { reads: [`${api}/doctor`], commands: ["npm run doctor"] },
  storage: { reads: [`${api}/settings/storage`], commands: [] },
  about: { reads: [`${api}/settings/about`], commands: [] },
};

/** A list: its page, how many rows there are, and all rows that match as a file. */
function list(noun: string, search: URLSearchParams, more: readonly string[] = []): PageCalls {
  const rows = query(search, [...filters, "sort"]);
  return {
    reads: [
      `${api}/${noun}${query(search, [...filters, "sort", "cursor"], { limit: "50" })}`,
      `${api}/counts/${noun}${query(search, filters)}`,
    ],
    commands: [curlOf(`${api}/${noun}${rows === "" ? "?" : `${rows}&`}format=csv`), ...more],
  };
}

/** What the chosen tab of an endpoint shows. */
function readsOfTab(name: string, search: URLSearchParams): string[] {
  const below = `${api}/endpoints/${name}`;
  switch (search.get("tab")) {
    case "metrics": {
      const isSpan = search.has("from") && search.has("to");
      const window = isSpan ? query(search, ["from", "to"]) : query(search, ["range"]);
      return [`${below}/traffic${window}`];
    }
    case "revisions":
      return [`${below}/revisions`];
    case "logs":
      return [`${below}/log${query(search, ["kind", "search", "cursor"])}`];
    case "requests":
      return [`${below}/requests${query(search, ["outcome"])}`];
    default: {
      const id = search.get("request");
      return id ? [`${below}/requests/${asPart(id)}`] : [];
    }
  }
}

const comparedIn = (search: URLSearchParams): string[] =>
  (search.get("ids") ?? "")
    .split(",")
    .filter(Boolean)
    .slice(0, 4)
    .map((id) => `${api}/builds/${asPart(id)}`);

/** The named parts of an address as a query, with `?`; empty where there are none. A pair renames what the page calls otherwise. */
function query(
  search: URLSearchParams,
  names: readonly (string | readonly [string, string])[],
  more: Readonly<Record<string, string>> = {},
): string {
  const found = new URLSearchParams();
  for (const each of names) {
    const [page, name] = typeof each === "string" ? [each, each] : each;
    for (const value of search.getAll(page)) if (value !== "") found.append(name, value);
  }
  for (const [name, value] of Object.entries(more)) found.set(name, value);
  return found.size === 0 ? "" : `?${found}`;
}

/**
 * A part of an address as it may stand between double quotes of a shell. An address comes from anybody's link: nothing of it may end
 * the quotes, name a variable, run a command, or recall one from the history.
 */
function asPart(text: string): string {
  return encodeURIComponent(decoded(text))
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%3A", ":");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const post = (path: string, body: string) =>
  `curl -sS -H 'Content-Type: application/json' -d '${body}' "$BOARDWALK_URL${path}"`;
