import { createServer } from "node:net";

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

/** Some free loopback port. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The port this installation used before, if it is still free; else a free one, remembered. */
export async function rememberedPort(home, name) {
  const before = home.remembered(`port.${name}`);
  if (before !== undefined && (await isPortFree(before))) return before;
  const port = await freePort();
  home.remember(`port.${name}`, port);
  return port;
}
