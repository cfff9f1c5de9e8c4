import { parseSourceUrl } from "@/domain/sources";
import type { Secrets } from "@/lib/common/contract";
import { askWeb, openWeb, problemOfLogin, unavailable } from "../open-web";
import { authorizationOf } from "./authorization-of";
import { mend, type SourceReader } from "./source-reader";

const shown = (secret: Secrets["https"] | null): string | undefined =>
  secret === null ? undefined : authorizationOf(secret);

/** Reads hosts that ask for a login. */
export const https: SourceReader<"https"> = {
  async open(address, { secret }, options) {
    const source = parseSourceUrl(address, options.policy);
    return await openWeb(source, { ...options, mend, authorization: shown(secret) });
  },
  async test({ place, secret }, options) {
    const source = parseSourceUrl(`https://${place.host}/`, options.policy);
    const authorization = shown(secret);
    const { status, close } = await askWeb(source, { ...options, method: "HEAD", authorization });
    await close();
    // The front page may be nobody's to read, or not there: the host knows the login all the same.
    const problem = status === 401 ? problemOfLogin(status, true, mend) : null;
    if (problem) throw problem;
    if (status === 429 || status >= 500) throw unavailable(`The host answered ${status}.`);
    return `The host answered ${status}.`;
  },
};
