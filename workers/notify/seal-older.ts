import type { Logger } from "pino";
import { sealPlainSecrets } from "@/domain/notifications";
import { Backoff } from "@/lib/common/backoff";

/**
 * Seals the secrets of webhooks that a version left which sealed none. The first portal makes the key, perhaps later than this is
 * asked for: it waits for it, and makes none, since only what all processes share opens again.
 */
export async function sealOlder(
  keyFile: string,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const backoff = new Backoff({ firstMs: 500, mostMs: 60_000 });
  while (!signal.aborted) {
    const level = backoff.failures === 0 ? "warn" : "debug";
    try {
      const { again, failed } = await sealPlainSecrets(keyFile);
      if (again > 0) log.info({ webhooks: again }, "secrets of webhooks are sealed now");
      const [first] = failed;
      if (!first) return;
      log[level](
        { webhooks: failed.length, err: first.error },
        "secrets of webhooks wait for their key",
      );
    } catch (err) {
      log[level]({ err }, "secrets of webhooks cannot be looked at");
    }
    await backoff.wait(signal);
  }
}
