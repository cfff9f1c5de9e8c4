import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ModelConfigResponseSchema,
  ModelMetadataResponseSchema,
  ModelStatisticsResponseSchema,
} from "@/proto/inference";
import type { ModelConfig, ServedRevision } from "../core";
import type { Duration, ModelStatistics } from "../metrics";

const dims = (shape: readonly number[]) => shape.map(BigInt);

export function metadataMessage(
  name: string,
  { platform, inputs, outputs }: ServedRevision,
  versions: readonly string[],
) {
  const tensor = (spec: ServedRevision["inputs"][number]) => ({
    name: spec.name,
    datatype: spec.datatype,
    shape: dims(spec.shape),
  });
  return create(ModelMetadataResponseSchema, {
    name,
    versions: [...versions],
    platform,
    inputs: inputs.map(tensor),
    outputs: outputs.map(tensor),
  });
}

type ConfigInit = NonNullable<MessageInitShape<typeof ModelConfigResponseSchema>["config"]>;
/** Numbers of `DataType`, in their order. */
const dataTypes = [
  "TYPE_INVALID",
  "TYPE_BOOL",
  "TYPE_UINT8",
  "TYPE_UINT16",
  "TYPE_UINT32",
  "TYPE_UINT64",
  "TYPE_INT8",
  "TYPE_INT16",
  "TYPE_INT32",
  "TYPE_INT64",
  "TYPE_FP16",
  "TYPE_FP32",
  "TYPE_FP64",
  "TYPE_STRING",
  "TYPE_BF16",
];
const kinds = ["KIND_AUTO", "KIND_GPU", "KIND_CPU", "KIND_MODEL"];

/** The same configuration that HTTP prints as JSON. */
export function configMessage(config: ModelConfig) {
  const { dynamic_batching: batching } = config;
  const message: ConfigInit = {
    name: config.name,
    platform: config.platform,
    backend: config.backend,
    maxBatchSize: config.max_batch_size,
    versionPolicy: { policyChoice: { case: "all", value: {} } },
    input: config.input.map((spec) => ({
      name: spec.name,
      dataType: dataTypes.indexOf(spec.data_type),
      dims: dims(spec.dims),
    })),
    output: config.output.map((spec) => ({
      name: spec.name,
      dataType: dataTypes.indexOf(spec.data_type),
      dims: dims(spec.dims),
      labelFilename: spec.label_filename,
    })),
    instanceGroup: config.instance_group.map((group) => ({
      name: group.name,
      count: group.count,
      kind: kinds.indexOf(group.kind),
    })),
    parameters: Object.fromEntries(
      Object.entries(config.parameters).map(([key, { string_value: stringValue }]) => [
        key,
        { stringValue },
      ]),
    ),
    modelTransactionPolicy: { decoupled: false },
    ...(batching
      ? {
          schedulingChoice: {
            case: "dynamicBatching" as const,
            value: {
              preferredBatchSize: batching.preferred_batch_size,
              maxQueueDelayMicroseconds: BigInt(batching.max_queue_delay_microseconds),
              preserveOrdering: batching.preserve_ordering,
              priorityLevels: BigInt(batching.priority_levels),
              defaultPriorityLevel: BigInt(batching.default_priority_level),
              defaultQueuePolicy: {
                timeoutAction: batching.default_queue_policy.timeout_action === "DELAY" ? 1 : 0,
                defaultTimeoutMicroseconds: BigInt(
                  batching.default_queue_policy.default_timeout_microseconds,
                ),
                allowTimeoutOverride: true,
                maxQueueSize: batching.default_queue_policy.max_queue_size,
              },
            },
          },
        }
      : {}),
  };
  return create(ModelConfigResponseSchema, { config: message });
}

const time = ({ count, ns }: Duration) => ({ count: BigInt(count), ns: BigInt(Math.round(ns)) });
const none = { count: 0n, ns: 0n };

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
