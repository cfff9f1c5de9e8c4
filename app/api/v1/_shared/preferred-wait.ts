/**
 * How long the caller would wait for an answer, by `Prefer: wait=N` in seconds, never longer than the route does; without it, as
 * long as the route does.
 *
 * @see RFC 7240 §4.3
 */
export function preferredWaitMs(request: Request, mostMs: number): number {
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(
    request.headers.get("prefer") ?? "",
  )?.[1];
  return seconds === undefined ? mostMs : Math.min(mostMs, Number(seconds) * 1000);
}
