import { logger } from "@/lib/server/logger";

/** How a stream looks for news: together for a burst, and again after a while, since a notification may get lost. */
export const streamPace = { settleMs: 40, lookAgainMs: 2000 } as const;

const heartbeatMs = 15_000;
/** Bytes that wait for a reader before it is given more. */
const roomBytes = 256 * 1024;
/** A reader for whom this much waits is let go, and resumes from the store. */
const maxLagBytes = 1 << 20;
/** So is one that takes nothing for so long while more waits: it sleeps, or is gone unseen. */
const silentReaderMs = 30_000;

export interface ServerEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: unknown;
}

const encoder = new TextEncoder();

/** An event as it goes over the wire. */
export function encodeEvent({ event, id, data }: ServerEvent): Uint8Array<ArrayBuffer> {
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Who reads a stream. */
export interface Reader {
  /** Fires when nobody reads any more. */
  readonly signal: AbortSignal;
  send(event: ServerEvent): void;
  /** Sends events that are encoded already, as fast as they are read: however many there are, few wait in memory. */
  sendBytes(events: Uint8Array<ArrayBuffer>): Promise<void>;
}

/**
 * Answers server-sent events until `run` returns, the caller is gone, or it lags too far behind. A heartbeat every 15 s tells
 * that silence is no break.
 */
export function eventStream(
  caller: AbortSignal,
  run: (reader: Reader) => Promise<void>,
  { silentMs = silentReaderMs } = {},
): Response {
  const gone = new AbortController();
  const signal = AbortSignal.any([caller, gone.signal]);
  let onRead = () => {};
  const start = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const room = () => controller.desiredSize ?? 0;
    const send = (event: ServerEvent) => {
      if (signal.aborted) return;
      controller.enqueue(encodeEvent(event));
      if (room() < roomBytes - maxLagBytes) gone.abort();
    };
    const untilRead = () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => gone.abort(), silentMs);
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          resolve();
        };
        signal.addEventListener("abort", end, { once: true });
        onRead = end;
      });
    const sendBytes = async (events: Uint8Array<ArrayBuffer>) => {
      for (let at = 0; at < events.length; at += roomBytes) {
        while (!signal.aborted && room() <= 0) await untilRead();
        if (signal.aborted) return;
        controller.enqueue(events.subarray(at, at + roomBytes));
      }
    };
    const heartbeat = setInterval(() => send({ event: "heartbeat", data: {} }), heartbeatMs);
    // A first byte, so that proxies and browsers see that the stream is open.
    controller.enqueue(encoder.encode(": open\n\n"));
    try {
      await run({ signal, send, sendBytes });
    } catch (err) {
      if (!signal.aborted) logger().warn({ err }, "event stream broke off");
    } finally {
      clearInterval(heartbeat);
      gone.abort();
      try {
        controller.close();
      } catch {
        // The caller has closed it already.
      }
    }
  };
  const body = new ReadableStream<Uint8Array>(
    {
      // Nobody is asked for more before `start` has returned.
      start: (controller) => void start(controller),
      pull: () => onRead(),
      cancel: () => gone.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: roomBytes }),
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform, private",
      "x-accel-buffering": "no",
    },
  });
}
