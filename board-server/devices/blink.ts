import { setTimeout as delay } from "node:timers/promises";

/** How long a board shows which it is. */
export const blinkMs = 5000;
/** Its light is lit so long, and dark so long. */
const halfMs = 400;

/**
 * Makes a light that shows traffic go on and off: calls follow each other, then none for a while, and so on.
 *
 * @param call One exchange with the board; what it throws ends the blinking.
 */
export async function blinkByTraffic(
  call: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + blinkMs;
  while (performance.now() < end && !signal.aborted) {
    const dark = performance.now() + halfMs;
    while (performance.now() < dark && !signal.aborted) await call();
    await delay(halfMs, undefined, { signal }).catch(() => {});
  }
}
