import { isIP } from "node:net";
import { type AppError, fail } from "@/lib/common/errors";
import { isForeignPublic } from "./addresses";

/** What an administrator allows beyond public `https`: exact `host:port`, which may be private or plain `http`. */
export interface SourcePolicy {
  readonly allowedHosts: readonly string[];
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
 * @param field Where the person gave it.
 * @throws {AppError} `URL_NOT_ALLOWED`
 */
export function parseSourceUrl(text: string, policy: SourcePolicy, field = "model.url"): SourceUrl {
  const parsed = judgeText(text, policy);
  if (typeof parsed !== "string") return parsed;
  throw fail("URL_NOT_ALLOWED", `This address ${parsed}.`, {
    field,
    hint: "Use a public https:// address or an s3:// address of this installation, or upload the file. An administrator can list a host.",
  });
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
function judgeText(text: string, policy: SourcePolicy): SourceUrl | string {
  if (text.length > maxLength) return `is longer than ${maxLength} characters`;
  if (/[\s\p{Cc}\\]/u.test(text)) return "holds spaces, backslashes or control characters";
  if (!URL.canParse(text)) return "is no URL; one begins with https:// or s3://";
  if (text.includes("#")) return "has a fragment";
  return judge(new URL(text), policy);
}

function judge(url: URL, { allowedHosts }: SourcePolicy): SourceUrl | string {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return "is neither an https:// nor an s3:// address";
  }
  if (url.username !== "" || url.password !== "") return "carries a user name or password";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const isListed = allowedHosts.includes(`${url.hostname}:${port}`);
  if (isListed) return { url, host, port, isListed };
  if (url.protocol === "http:") return "is not an https address";
  if (url.port !== "") return "names a port";
  if (host === "" || host.endsWith(".")) return "has a host name that is not plain";
  const isAddress = isIP(host) !== 0;
  const isLocal = isAddress ? !isForeignPublic(host) : !host.includes(".") || localNames.test(host);
  return isLocal ? "is not public" : { url, host, port, isListed };
}
