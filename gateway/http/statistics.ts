import type { Duration, ModelStatistics, RecentView } from "../metrics";

/** The body of the statistics extension, one entry for each version. */
export function statisticsBody(list: Iterable<ModelStatistics>) {
  return { model_stats: [...list].map(entry) };
}

/** The same, each entry with what it did in the last five minutes. */
export function recentBody(list: Iterable<ModelStatistics>) {
  return {
    model_stats: [...list].map((of) => ({ ...entry(of), recent: recent(of.recent.view()) })),
  };
}

function recent({ slotSeconds, known, slots }: RecentView) {
  return {
    slot_seconds: slotSeconds,
    known_slots: known,
    slots: slots.map(({ ago, success, fail, rows, calls, seconds }) => ({
      ago,
      success,
      fail,
      rows,
      calls,
      counts: [...seconds.counts],
    })),
  };
}

function entry(of: ModelStatistics) {
  return {
    name: of.model,
    version: of.version,
    last_inference: of.lastInferenceMs,
    inference_count: of.inferenceCount,
    execution_count: of.executionCount,
    inference_stats: {
      success: time(of.success),
      fail: time(of.fail),
      queue: time(of.queue),
      compute_input: time(of.input),
      compute_infer: time(of.infer),
      compute_output: time(of.output),
      cache_hit: none,
      cache_miss: none,
    },
    response_stats: {},
    batch_stats: [...of.batches]
      .sort(([a], [b]) => a - b)
      .map(([size, batch]) => ({
        batch_size: size,
        compute_input: time(batch.input),
        compute_infer: time(batch.infer),
        compute_output: time(batch.output),
      })),
    // One entry for each slot; their numbers are their places here.
    memory_usage: [...of.memoryBytes.values()].map((bytes, id) => ({
      type: "CPU",
      id,
      byte_size: bytes,
    })),
    // Ours: elements that the firmware had no step for.
    clipped_input_count: of.clippedInputCount,
    // Ours: what percentiles can be made of, which sums cannot give.
    request_duration_histogram: {
      bounds_seconds: of.requestSeconds.bounds,
      counts: [...of.requestSeconds.counts],
    },
    pending_request_count: of.pending(),
  };
}

const none = { count: 0, ns: 0 };
const time = ({ count, ns }: Duration) => ({ count, ns: Math.round(ns) });
