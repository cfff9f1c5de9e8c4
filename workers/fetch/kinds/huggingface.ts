import { parseHubAddress, parseSourceUrl } from "@/domain/sources";
import { fail } from "@/lib/common/errors";
import { askWeb, openWeb, problemOfLogin, unavailable } from "../open-web";
import { authorizationOf } from "./authorization-of";
import { readBody } from "./read-body";
import { mend, type OpenConnection, type ReadOptions, type SourceReader } from "./source-reader";

const mostBytes = 64 * 1024;

/** Reads hubs that speak as Hugging Face's. */
export const huggingface: SourceReader<"huggingface"> = {
  async open(address, connection, options) {
    const { owner, name, path, revision } = parseHubAddress(address);
    const parts = [owner, name, "resolve", revision, ...path.split("/")];
    return await openWeb(
      sourceOf(connection, options, parts.map(encodeURIComponent).join("/")),
      webOptions(connection, options),
    );
  },
  async test(connection, options) {
    const isKnown = connection.secret !== null;
    const path = isKnown ? "api/whoami-v2" : "api/models?limit=1";
    const answer = await askWeb(
      sourceOf(connection, options, path),
      webOptions(connection, options),
    );
    try {
      const { status } = answer;
      const problem = problemOfLogin(status, isKnown, mend);
      if (problem) throw problem;
      if (status === 429 || status >= 500) throw unavailable(`The hub answered ${status}.`);
      if (status !== 200) throw notAHub(`it answered ${status}`);
      const said = parseJson(await readBody(answer.stream, mostBytes));
      if (!isKnown) return "The hub lists models.";
      const name = typeof said === "object" && said !== null && "name" in said ? said.name : null;
      if (typeof name !== "string") throw notAHub("its answer has another form");
      return `The hub knows the token as ${name.replaceAll(/[^\w .-]/g, "").slice(0, 80)}.`;
    } finally {
      await answer.close();
    }
  },
};

const sourceOf = (
  { place }: OpenConnection<"huggingface">,
  { policy }: ReadOptions,
  path: string,
) => parseSourceUrl(`${place.endpoint}/${path}`, policy);

const webOptions = ({ secret }: OpenConnection<"huggingface">, options: ReadOptions) => ({
  ...options,
  mend,
  mayGoPlain: true,
  authorization: secret === null ? undefined : authorizationOf(secret),
});

const notAHub = (why: string) =>
  fail("SOURCE_NOT_FOUND", `This host does not speak as a hub does: ${why}.`, { hint: mend });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notAHub("its answer is no JSON");
  }
}
