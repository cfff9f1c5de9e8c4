import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Where free ports are looked for: below those that systems give to connections and to servers without a wish (Linux from
 * 32768 on, others from 49152 on), so that none of these takes a port between its choice and its use.
 */
const range = { first: 15_000, last: 32_000 };

/** Ports that this process has handed out: their servers may not listen yet. */
const given = new Set();

/** Whether a loopback port can be listened on now. */
export function isPortFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

/** Some free loopback port, another at each call. */
export async function freePort() {
  for (;;) {
    const port = randomInt(range.first, range.last);
    if (given.has(port) || !(await isPortFree(port))) continue;
    given.add(port);
    return port;
  }
}

/** The port this installation used before, if it is still free; else a free one, remembered. */
export async function rememberedPort(home, name) {
  const before = home.remembered(`port.${name}`);
  if (before !== undefined && (await isPortFree(before))) return before;
  const port = await freePort();
  home.remember(`port.${name}`, port);
  return port;
}
