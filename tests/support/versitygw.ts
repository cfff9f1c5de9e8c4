import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { S3Options } from "@/lib/server/storage";
import { freePort } from "@/scripts/lib/ports.mjs";

export interface TestS3 {
  readonly options: S3Options;
  /** Adds a user, who may read nothing yet. */
  addUser(keys: S3Keys): void;
  stop(): Promise<void>;
}

interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** An S3 store on loopback: versitygw from `VERSITYGW`, `PATH`, or where set-up put it. It keeps the users that are added. */
export async function startS3({
  accessKey = "test",
  secretKey = "testsecret",
  secure = false,
}: Partial<S3Keys> & {
  /** Over TLS, with the certificate of `tests/fixtures/tls`. */
  readonly secure?: boolean;
} = {}): Promise<TestS3> {
  const folder = mkdtempSync(path.join(tmpdir(), "bw-s3-"));
  const users = path.join(folder, "users");
  const objects = path.join(folder, "objects");
  for (const each of [users, objects]) mkdirSync(each);
  const port = await freePort();
  const endpoint = `${secure ? "https" : "http"}://127.0.0.1:${port}`;
  const options = { endpoint, accessKey, secretKey, region: "us-east-1" };
  // It goes into the folder of its objects.
  const tls = ["cert", "key"].flatMap((each) => [
    `--${each}`,
    path.resolve(`tests/fixtures/tls/server.${each === "cert" ? "pem" : "key"}`),
  ]);
  const listen = ["--port", `127.0.0.1:${port}`, "--iam-dir", users, ...(secure ? tls : [])];
  const child = spawn(
    findVersitygw(),
    ["--access", accessKey, "--secret", secretKey, ...listen, "posix", objects],
    { stdio: "ignore" },
  );
  await untilListening(port, child);
  return {
    options,
    addUser({ accessKey: access, secretKey: secret }) {
      const root = ["--access", accessKey, "--secret", secretKey, "--endpoint-url", endpoint];
      const user = ["--access", access, "--secret", secret, "--role", "user"];
      execFileSync(findVersitygw(), ["admin", ...root, "create-user", ...user], {
        env: { ...process.env, SSL_CERT_FILE: "tests/fixtures/tls/ca.pem" },
      });
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findVersitygw(): string {
  const { PATH = "", VERSITYGW } = process.env;
  const folders = PATH.split(path.delimiter);
  const candidates = [VERSITYGW, ...folders.map((folder) => path.join(folder, "versitygw"))];
  const found = candidates.find((file) => file !== undefined && existsSync(file));
  if (!found) throw new Error("versitygw was not found: run the tests with `npm test`.");
  return found;
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`versitygw left with ${child.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("versitygw does not listen");
}
