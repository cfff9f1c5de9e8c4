import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ModelConfigResponseSchema } from "@/proto/inference";
import type { ModelConfig } from "../core";

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
export function modelConfigMessage(config: ModelConfig) {
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
      dims: spec.dims.map(BigInt),
    })),
    output: config.output.map((spec) => ({
      name: spec.name,
      dataType: dataTypes.indexOf(spec.data_type),
      dims: spec.dims.map(BigInt),
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
