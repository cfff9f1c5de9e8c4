import { type AppError, fail } from "@/lib/common/errors";
import { parseStoreUrl } from "@/lib/server/storage";
import { mayBePublicHost } from "./addresses";

/**
 * Refuses model URLs that could never be fetched, before anything is stored; what needs the network is the worker's to
 * find out.
 *
 * @param options `allowedHosts`: `host:port` that may be private or plain `http`.
 * @throws {AppError} `URL_NOT_ALLOWED`, with the same words whatever listens there.
 */
export function checkModelUrl(
  text: string,
  options: {
    readonly projectId: string;
    readonly allowedHosts: readonly string[];
    readonly field: string;
  },
): void {
  const refuse = (message: string, hint?: string): AppError =>
    fail("URL_NOT_ALLOWED", message, { field: options.field, ...(hint ? { hint } : {}) });

  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(text))
    throw refuse("A model URL has no spaces, backslashes or control characters.");
  if (text.startsWith("s3://")) {
    if (parseStoreUrl(text, options.projectId)) return;
    throw refuse(
      "This bucket is not one that models are read from.",
      "Upload the file, or use s3://boardwalk-samples/….",
    );
  }
  if (!URL.canParse(text)) throw refuse("This is not a URL.", "Begin with https:// or s3://.");
  const url = new URL(text);
  const at = `${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`;
  const listed = options.allowedHosts.includes(at);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && listed))
    throw refuse("A model URL begins with https:// or s3://.");
  if (url.username || url.password) throw refuse("A model URL carries no user name or password.");
  if (url.hash || text.includes("#")) throw refuse("A model URL has no fragment.");
  if (!listed && (url.port !== "" || !mayBePublicHost(url.hostname)))
    throw refuse(
      "This host or port is not one that models are fetched from.",
      "An administrator can list it.",
    );
}
