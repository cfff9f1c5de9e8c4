import type { Datatype, TensorSpec } from "@/lib/common/tensor";
import { policyOf } from "./policy";
import type { ServedRevision } from "./route-table";

/** The names of datatypes in a model configuration. */
export const configDatatype = (datatype: Datatype): string =>
  datatype === "BYTES" ? "TYPE_STRING" : `TYPE_${datatype}`;

/**
 * A model's configuration in the words of Triton's `ModelConfig`, every field that clients read printed: that is how they
 * learn what is batched.
 *
 * @see Section 1.6 of the protocol page; field names as in `model_config.proto`.
 */
export function modelConfig(name: string, revision: ServedRevision) {
  const { platform, inputs, outputs, properties, labels } = revision;
  const policy = policyOf(revision);
  const isCpu = properties["board"] === "cpu";
  const dims = ({ shape }: TensorSpec) => [...(revision.maxBatchSize > 0 ? shape.slice(1) : shape)];
  return {
    name,
    platform,
    backend: properties["engine"] ?? "",
    version_policy: { all: {} },
    max_batch_size: revision.maxBatchSize,
    input: inputs.map((spec) => ({
      name: spec.name,
      data_type: configDatatype(spec.datatype),
      format: "FORMAT_NONE",
      dims: dims(spec),
      is_shape_tensor: false,
      allow_ragged_batch: false,
      optional: false,
      is_non_linear_format_io: false,
    })),
    output: outputs.map((spec) => ({
      name: spec.name,
      data_type: configDatatype(spec.datatype),
      dims: dims(spec),
      label_filename: labels?.[spec.name] ? `${spec.name}.txt` : "",
      is_shape_tensor: false,
      is_non_linear_format_io: false,
    })),
    batch_input: [],
    batch_output: [],
    ...(policy.maxRows > 1
      ? {
          dynamic_batching: {
            preferred_batch_size: [...policy.preferredRows],
            max_queue_delay_microseconds: Math.round(policy.maxWaitMs * 1000),
            preserve_ordering: false,
            priority_levels: policy.levels,
            default_priority_level: policy.defaultLevel,
            default_queue_policy: {
              timeout_action: policy.onTimeout === "delay" ? "DELAY" : "REJECT",
              default_timeout_microseconds: Math.round(policy.timeoutMs * 1000),
              allow_timeout_override: true,
              max_queue_size: policy.maxQueued,
            },
            priority_queue_policy: {},
          },
        }
      : {}),
    instance_group: [
      {
        name: `${name}_0`,
        kind: isCpu ? "KIND_CPU" : "KIND_MODEL",
        count: policy.instances * Math.max(1, revision.replicas.length),
        gpus: [],
        profile: [],
        passive: false,
        host_policy: "",
      },
    ],
    default_model_filename: "",
    metric_tags: {},
    parameters: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, { string_value: value }]),
    ),
    model_warmup: [],
    model_transaction_policy: { decoupled: false },
  };
}
/** The configuration of a model in Triton's words, as `/config` answers it. */
export type ModelConfig = ReturnType<typeof modelConfig>;
