import { isIP } from "node:net";
import { type AppError, fail } from "@/lib/common/errors";
import { isPublicAddress } from "./addresses";

/** What an administrator allows beyond public `https`: exact `host:port`, which may be private or plain `http`. */
export interface SourcePolicy {
  readonly allowedHosts: ReadonlySet<string>;
}

/** A parsed address of a source. Only this object is used from here on: two parsers could disagree. */
export interface SourceUrl {
  readonly url: URL;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** An administrator listed this very host and port, so private addresses are fine. */
  readonly isListed: boolean;
}

const maxLength = 2048;
const localNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|home|lan|corp|home\.arpa)$/;

/**
 * Judges the address that a person gave. The text is the same whether or not anything listens there.
 *
 * @throws {AppError} `URL_NOT_ALLOWED`
 */
export function parseSourceUrl(text: string, policy: SourcePolicy): SourceUrl {
  if (text.length > maxLength) throw notAllowed(`is longer than ${maxLength} characters`);
  if (/[\s\p{Cc}\\]/u.test(text))
    throw notAllowed("holds spaces, backslashes or control characters");
  if (!URL.canParse(text)) throw notAllowed("is no URL");
  if (text.includes("#")) throw notAllowed("has a fragment");
  const parsed = judge(new URL(text), policy);
  if (typeof parsed === "string") throw notAllowed(parsed);
  return parsed;
}

/**
 * Judges where a source leads on to, against the address it came from.
 *
 * @throws {AppError} `SOURCE_NOT_ALLOWED`
 */
export function followRedirect(location: string, from: SourceUrl, policy: SourcePolicy): SourceUrl {
  if (location.length > 4 * maxLength || !URL.canParse(location, from.url)) throw ledAstray();
  const url = new URL(location, from.url);
  url.hash = "";
  if (from.url.protocol === "https:" && url.protocol !== "https:") throw ledAstray();
  const parsed = judge(url, policy);
  if (typeof parsed === "string") throw ledAstray();
  return parsed;
}

/** The same answer for every name that leads to a private place, and nothing of what is there. */
export function ledAstray(): AppError {
  return fail(
    "SOURCE_NOT_ALLOWED",
    "The source leads to an address that models are not fetched from.",
    { hint: "Use a public https address, or upload the file. An administrator can list a host." },
  );
}

/** The judged address, or what is wrong with it. */
function judge(url: URL, { allowedHosts }: SourcePolicy): SourceUrl | string {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return "is neither an https:// nor an s3:// address";
  }
  if (url.username !== "" || url.password !== "") return "carries a user name or password";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const isListed = allowedHosts.has(`${url.hostname}:${port}`);
  if (isListed) return { url, host, port, isListed };
  if (url.protocol === "http:") return "is not an https address";
  if (url.port !== "") return "names a port";
  if (host === "" || host.endsWith(".")) return "has a host name that is not plain";
  const isAddress = isIP(host) !== 0;
  const isLocal = isAddress ? !isPublicAddress(host) : !host.includes(".") || localNames.test(host);
  return isLocal ? "is not a public address" : { url, host, port, isListed };
}

function notAllowed(what: string): AppError {
  return fail("URL_NOT_ALLOWED", `The model URL ${what}.`, {
    field: "model.url",
    hint: "Use a public https:// address or an s3:// address of this installation, or upload the file.",
  });
}
