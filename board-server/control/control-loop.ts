import { Backoff } from "@/lib/common/backoff";
import { isAppError } from "@/lib/common/errors";
import type {
  SignedAdoptions,
  SignedAttachments,
  SignedCommand,
  SignedGateways,
  SigningKey,
} from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";

/** How long the portal may hold an answer back when it has nothing to say: well below the silence that makes a server count as gone. */
const longWaitS = 5;

/** What the portal says to a poll, unopened. */
export interface PortalAnswer {
  readonly commands: readonly SignedCommand[];
  readonly adopted: SignedAdoptions;
  readonly attached?: SignedAttachments | undefined;
  readonly gateways?: SignedGateways | undefined;
  /** Nonce of the poll. */
  readonly askedWith: string;
  readonly signingKeys: SigningKey[];
  readonly controlKeys: SigningKey[];
}

/** How the loop speaks with the portal, and who hears its answers. */
export interface ControlLoopOptions {
  /** Makes the server known, once in its life. */
  readonly enrol: (signal: AbortSignal) => Promise<void>;
  readonly poll: (waitS: number, signal: AbortSignal) => Promise<PortalAnswer>;
  readonly onAnswer: (answer: PortalAnswer) => Promise<void>;
}

/** A loop that runs until it is closed. */
export interface ControlLoop {
  /** Something changed that the portal must hear at once. */
  changed(): void;
  /** Milliseconds since the portal last answered; null: it has not yet. */
  readonly sinceAnswerMs: number | null;
  close(): Promise<void>;
}

/** Reports and asks for commands for as long as the server lives, however often the portal goes away. */
export function startControlLoop({ enrol, poll, onAnswer }: ControlLoopOptions): ControlLoop {
  const stopped = new AbortController();
  let waiting = new AbortController();
  let news = true;
  let isWaiting = false;
  let answeredAt: number | null = null;
  const backoff = new Backoff({ firstMs: 200, mostMs: 5000 });

  const once = async (): Promise<void> => {
    waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, stopped.signal]);
    const waitS = news ? 0 : longWaitS;
    news = false;
    try {
      await enrol(stopped.signal);
      isWaiting = waitS > 0;
      const answer = await poll(waitS, signal);
      isWaiting = false;
      await onAnswer(answer);
      backoff.reset();
      answeredAt = performance.now();
    } catch (err) {
      isWaiting = false;
      if (signal.aborted) return;
      news = true;
      const reason = isAppError(err) ? err.reason : "INTERNAL";
      logger().warn({ err, reason, failures: backoff.failures }, "the portal cannot be asked");
      await backoff.wait(stopped.signal);
    }
  };

  const running = (async () => {
    while (!stopped.signal.aborted) await once();
  })();

  return {
    changed() {
      news = true;
      // One that does not wait ends by itself, and is followed by the next at once: ended, it might never be heard.
      if (isWaiting) waiting.abort();
    },
    get sinceAnswerMs() {
      return answeredAt === null ? null : performance.now() - answeredAt;
    },
    async close() {
      stopped.abort();
      await running;
    },
  };
}
