import {
  type Attributes,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Timing } from "@/lib/common/contract";
import { logger } from "@/lib/server/logger";
import type { TracedInference, Traces } from "../core";

/** Parts of the time split in the order in which a request goes through them. */
const parts: readonly (readonly [name: string, field: keyof Timing])[] = [
  ["gateway_queue", "gatewayQueueNs"],
  ["link", "linkNs"],
  ["board_queue", "boardQueueNs"],
  ["host", "hostNs"],
  ["compute", "computeNs"],
];

/**
 * Sends a span for each inference, with one below it for each part of its time split, to an OpenTelemetry collector over
 * OTLP/HTTP. `link` is both ways together. A collector that is away costs its spans and nothing else.
 *
 * @param endpoint As in `OTEL_EXPORTER_OTLP_ENDPOINT`: the paths of the signals lie below it. Headers,
 * time-outs and the service's name are set by the other variables of OpenTelemetry. What the caller does not sample is not sampled here.
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function startOtlpTraces(endpoint: string, version: string): Traces {
  diag.setLogger(libraryLogger(), DiagLogLevel.WARN);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "boardwalk-gateway",
      "service.version": version,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` }),
      }),
    ],
  });
  const tracer = provider.getTracer("boardwalk-gateway", version);
  return {
    record(inference) {
      const { model, startMs, endMs, timing, error } = inference;
      const parent = parseTraceParent(inference.traceparent ?? "");
      const outside = parent
        ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
        : ROOT_CONTEXT;
      const span = tracer.startSpan(
        `infer ${model}`,
        { kind: SpanKind.SERVER, startTime: timeOf(startMs), attributes: attributesOf(inference) },
        outside,
      );
      if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      const inside = trace.setSpan(outside, span);
      let fromMs = startMs;
      for (const [name, field] of timing ? parts : []) {
        const ns = timing?.[field];
        if (typeof ns !== "number") continue;
        const toMs = fromMs + ns / 1e6;
        tracer.startSpan(name, { startTime: timeOf(fromMs) }, inside).end(timeOf(toMs));
        fromMs = toMs;
      }
      span.end(timeOf(endMs));
    },
    close: () => provider.shutdown(),
  };
}

function attributesOf({ model, version, requestId, timing, error }: TracedInference): Attributes {
  return {
    "model.name": model,
    "model.version": version,
    "request.id": requestId,
    ...(timing?.cycles === undefined ? {} : { "device.cycles": timing.cycles }),
    ...(timing?.clockHz === undefined ? {} : { "device.clock_hz": timing.clockHz }),
    ...(error ? { "error.type": error.reason } : {}),
  };
}

/** Seconds and nanoseconds: a `Date` would cut to milliseconds. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

function libraryLogger() {
  const warn = (message: string, ...rest: unknown[]): void =>
    logger().warn({ rest }, `tracing: ${message}`);
  const silent = (): void => {};
  return { error: warn, warn, info: silent, debug: silent, verbose: silent };
}
