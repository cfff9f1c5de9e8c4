import { logger } from "@/lib/server/logger";

/** How a stream looks for news: together for a burst, and again after a while, since a notification may get lost. */
export const streamPace = { settleMs: 40, lookAgainMs: 2000 } as const;

const heartbeatMs = 15_000;
/** A viewer that lags further is dropped, and resumes from the store. */
const maxLagBytes = 1 << 20;

export interface ServerEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: unknown;
}

/**
 * Answers server-sent events until `run` returns, the caller is gone, or it lags too far behind. A heartbeat every 15 s tells
 * that silence is no break.
 *
 * @param run Gets `send`, and a signal that fires when nobody listens any more.
 */
export function eventStream(
  caller: AbortSignal,
  run: (send: (event: ServerEvent) => void, signal: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController();
  const signal = AbortSignal.any([caller, gone.signal]);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        const send = ({ event, id, data }: ServerEvent) => {
          if (signal.aborted) return;
          const idLine = id === undefined ? "" : `id: ${id}\n`;
          controller.enqueue(
            encoder.encode(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
          );
          if ((controller.desiredSize ?? 0) < 0) gone.abort();
        };
        const heartbeat = setInterval(() => send({ event: "heartbeat", data: {} }), heartbeatMs);
        // A first byte, so that proxies and browsers see that the stream is open.
        controller.enqueue(encoder.encode(": open\n\n"));
        try {
          await run(send, signal);
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
      },
      cancel: () => gone.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxLagBytes }),
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform, private",
      "x-accel-buffering": "no",
    },
  });
}
