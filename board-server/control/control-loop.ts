import { setTimeout as sleep } from "node:timers/promises";
import { isAppError } from "@/lib/common/errors";
import type { SignedAdoptions, SignedCommand, SigningKey } from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";

/** How long the portal may hold an answer back when it has nothing to say: well below the silence that makes a server count as gone. */
const longWaitS = 5;
const backoff = { firstMs: 200, mostMs: 5000 } as const;

interface Answer {
  readonly commands: readonly SignedCommand[];
  readonly adopted: SignedAdoptions;
  /** Nonce of the poll. */
  readonly askedWith: string;
  readonly signingKeys: SigningKey[];
  readonly controlKeys: SigningKey[];
}

export interface ControlLoopOptions {
  /** Makes the server known, once in its life. */
  readonly enrol: (signal: AbortSignal) => Promise<void>;
  readonly poll: (waitS: number, signal: AbortSignal) => Promise<Answer>;
  readonly onAnswer: (answer: Answer) => Promise<void>;
}

export interface ControlLoop {
  /** Something changed that the portal must hear at once. */
  changed(): void;
  close(): Promise<void>;
}

/** Reports and asks for commands for as long as the server lives, however often the portal goes away. */
export function startControlLoop({ enrol, poll, onAnswer }: ControlLoopOptions): ControlLoop {
  const stopped = new AbortController();
  let waiting = new AbortController();
  let news = true;
  let pauseMs: number = backoff.firstMs;

  const once = async (): Promise<void> => {
    waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, stopped.signal]);
    const waitS = news ? 0 : longWaitS;
    news = false;
    try {
      await enrol(stopped.signal);
      await onAnswer(await poll(waitS, signal));
      pauseMs = backoff.firstMs;
    } catch (err) {
      if (signal.aborted) return;
      news = true;
      const reason = isAppError(err) ? err.reason : "INTERNAL";
      logger().warn({ err, reason, pauseMs }, "the portal cannot be asked");
      const jitter = 0.5 + Math.random() / 2;
      await sleep(pauseMs * jitter, undefined, { signal: stopped.signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, backoff.mostMs);
    }
  };

  const running = (async () => {
    while (!stopped.signal.aborted) await once();
  })();

  return {
    changed() {
      news = true;
      waiting.abort();
    },
    async close() {
      stopped.abort();
      await running;
    },
  };
}
