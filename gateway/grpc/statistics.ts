import { create } from "@bufbuild/protobuf";
import { ModelStatisticsResponseSchema } from "@/proto/inference";
import type { Duration, ModelStatistics } from "../metrics";

const time = ({ count, ns }: Duration) => ({ count: BigInt(count), ns: BigInt(Math.round(ns)) });
const none = { count: 0n, ns: 0n };

/** A `ModelStatisticsResponse` with one entry for each model and version; durations in nanoseconds. */
export function statisticsMessage(list: Iterable<ModelStatistics>) {
  return create(ModelStatisticsResponseSchema, {
    modelStats: [...list].map((of) => ({
      name: of.model,
      version: of.version,
      lastInference: BigInt(of.lastInferenceMs),
      inferenceCount: BigInt(of.inferenceCount),
      executionCount: BigInt(of.executionCount),
      inferenceStats: {
        success: time(of.success),
        fail: time(of.fail),
        queue: time(of.queue),
        computeInput: time(of.input),
        computeInfer: time(of.infer),
        computeOutput: time(of.output),
        cacheHit: none,
        cacheMiss: none,
      },
      batchStats: [...of.batches].map(([size, batch]) => ({
        batchSize: BigInt(size),
        computeInput: time(batch.input),
        computeInfer: time(batch.infer),
        computeOutput: time(batch.output),
      })),
      memoryUsage: [...of.memoryBytes.values()].map((bytes, id) => ({
        type: "CPU",
        id: BigInt(id),
        byteSize: BigInt(bytes),
      })),
    })),
  });
}
