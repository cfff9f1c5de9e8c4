import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { rememberedPort } from "../lib/ports.mjs";
import { ask } from "../lib/run.mjs";

/**
 * Where bytes go: an S3 server found on PATH (or in the data folder's tools, where the tests put one), started on loopback;
 * else a folder behind the same interface.
 */
export async function prepareStorage(home) {
  const path = [process.env.PATH, home.at("tools/bin")].join(delimiter);
  const env = { ...home.env, PATH: path };
  const data = home.at("storage");
  mkdirSync(data, { recursive: true });
  if (process.env.BOARDWALK_STORAGE !== "folder") {
    const secret = home.secret("s3");
    if (await ask("versitygw", ["--version"], { env })) {
      const port = await rememberedPort(home, "s3");
      const s3 = home.at("s3");
      mkdirSync(s3, { recursive: true });
      mkdirSync(home.at("metadata-of-s3"), { recursive: true });
      return server("versitygw", port, secret, {
        args: [
          "--port",
          `127.0.0.1:${port}`,
          "--quiet",
          "--keep-alive",
          "--health",
          "/healthz",
          "posix",
          "--sidecar",
          home.at("metadata-of-s3"),
          s3,
        ],
        env: { ...env, ROOT_ACCESS_KEY: "boardwalk", ROOT_SECRET_KEY: secret },
        cwd: s3,
      });
    }
    if (await ask("s3s-fs", ["--version"], { env })) {
      const port = await rememberedPort(home, "s3");
      const s3 = home.at("s3");
      mkdirSync(s3, { recursive: true });
      return server("s3s-fs", port, secret, {
        args: [
          "--host",
          "127.0.0.1",
          "--port",
          String(port),
          "--access-key",
          "boardwalk",
          "--secret-key",
          secret,
          s3,
        ],
        env,
        cwd: s3,
      });
    }
  }
  return { name: "storage", kind: "folder", variables: { STORAGE_DIR: data } };
}

const server = (command, port, secret, options) => ({
  name: "storage",
  kind: command,
  port,
  command,
  stopSignal: "SIGTERM",
  variables: {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY: "boardwalk",
    S3_SECRET_KEY: secret,
    S3_REGION: "us-east-1",
  },
  ...options,
});

/** Folder of tools that set-up installs beside the checkout. */
export const toolsBin = (home) => join(home.path, "tools/bin");
