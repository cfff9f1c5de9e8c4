import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { S3Options } from "@/lib/server/storage";
import { freePort } from "@/scripts/lib/ports.mjs";

export interface TestS3 {
  readonly options: S3Options;
  stop(): Promise<void>;
}

/** An S3 store on loopback: versitygw from `VERSITYGW`, `PATH`, or where set-up put it. */
export async function startS3(): Promise<TestS3> {
  const folder = mkdtempSync(path.join(tmpdir(), "bw-s3-"));
  const port = await freePort();
  const child = spawn(
    findVersitygw(),
    ["--access", "test", "--secret", "testsecret", "--port", `127.0.0.1:${port}`, "posix", folder],
    { stdio: "ignore" },
  );
  await untilListening(port, child);
  return {
    options: {
      endpoint: `http://127.0.0.1:${port}`,
      accessKey: "test",
      secretKey: "testsecret",
      region: "us-east-1",
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
  for (let tries = 0; tries < 100; tries++) {
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
