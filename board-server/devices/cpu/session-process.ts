import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { AppError, fail, fromErrorData } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { partsOf, readFrames, writeFrame } from "@/lib/server/board-protocol";
import { bundlePath, findOnPath, residentBytes } from "@/lib/server/process";
import { memoryStatus, slotMemory } from "./memory";
import type { SessionAnswer, SessionRequest } from "./session";

/** The outputs of one run, and how long ONNX Runtime took for them. */
export interface SessionReply {
  readonly outputs: readonly Tensor[];
  readonly computeNs: number;
}

/** A session of ONNX Runtime in a process of its own: no model can take the board server or another model with it. */
export interface SessionProcess {
  /** Why it is gone; null while it is there. */
  readonly ended: AppError | null;
  /** Bytes of real memory that it holds, as last seen. */
  readonly memoryBytes: number;
  /** @throws {AppError} what the session threw; `SLOT_MEMORY`, `INTERNAL` when the process is gone. */
  ask(request: SessionRequest, inputs?: readonly Tensor[]): Promise<SessionReply>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(reply: SessionReply): void;
  reject(error: AppError): void;
}

const watchMs = 250;
/** The process watches itself, and is watched for what it may not get round to. */
const backstop = 1.25;

/** Starts the process. It dies with this one, and when it holds more memory than it may. */
export function startSessionProcess(memoryLimitBytes: number): SessionProcess {
  const child = spawnChild();
  const stream = child.stdio[3] as Duplex;
  const waiting: Waiting[] = [];
  let ended: AppError | null = null;
  let memoryBytes = 0;

  const end = (error: AppError): void => {
    ended ??= error;
    clearInterval(watch);
    for (const { reject } of waiting.splice(0)) reject(ended);
    child.kill("SIGKILL");
  };
  const watch = setInterval(() => {
    memoryBytes = child.pid === undefined ? 0 : residentBytes(child.pid);
    if (memoryBytes > memoryLimitBytes * backstop) end(slotMemory(memoryLimitBytes));
  }, watchMs);
  watch.unref();
  const exited = new Promise<void>((resolve) => {
    const gone = (cause: unknown): void => {
      end(
        new AppError("internal", "The model's process ended on this request.", {
          reason: "INTERNAL",
          cause,
        }),
      );
      resolve();
    };
    child.once("exit", (status, signal) => {
      if (status === memoryStatus) end(slotMemory(memoryLimitBytes));
      gone(new Error(`exit ${status ?? signal}`));
    });
    child.once("error", gone);
  });
  stream.on("error", () => {});
  readFrames(stream, ({ head, tensors }) => {
    const answer = head as SessionAnswer;
    const asked = waiting.shift();
    if (answer.ok) asked?.resolve({ outputs: tensors, computeNs: answer.computeNs });
    else {
      const error = fromErrorData(answer.error);
      if (answer.cause !== "") error.cause = new Error(answer.cause);
      asked?.reject(error);
    }
  });

  return {
    get ended() {
      return ended;
    },
    get memoryBytes() {
      return memoryBytes;
    },
    ask(request, inputs = []) {
      if (ended) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        writeFrame(stream, request, partsOf(inputs));
      });
    },
    async close() {
      end(fail("CANCELLED", "The model was unloaded."));
      await exited;
    },
  };
}

/** It logs where we do; the environment stays here. */
function spawnChild(): ChildProcess {
  const shim = findOnPath("setpriv");
  const [program, ...rest] = [
    ...(shim ? [shim, "--pdeathsig", "KILL", "--"] : []),
    process.execPath,
    bundlePath("board-server/devices/cpu/session.child"),
  ];
  return spawn(program ?? process.execPath, rest, {
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
}
