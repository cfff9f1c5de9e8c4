import type { Tap } from "../../integer/integer-graph";
import { type MapSchedule, pipeline, windowEnd } from "./schedule";
import { countOf, type Sweep } from "./sweep";

/**
 * When each element of each node shows itself in the core: sums with their bias on `tap_accumulator`, requantised values
 * on `tap_value`, what is looked up for them on `tap_table`, pooled ones on `tap_pool`. Values that pooling leaves out are never made and have none.
 */
export function mapTaps(sweeps: readonly Sweep[], schedule: MapSchedule): Tap[] {
  return sweeps.flatMap((sweep, index) => tapsOfSweep(sweep, schedule, index));
}

function tapsOfSweep(sweep: Sweep, { times, lanes, lookUp }: MapSchedule, index: number): Tap[] {
  const time = times[index];
  if (!time) return [];
  const { nodes, groups, loops, channels, summedWidth, writtenWidth, poolStrides } = sweep;
  const taps: Tap[] = [];
  /** Pixels that are summed at once. */
  const beside = sweep.pair ? 2 : 1;
  const pooled = countOf(loops.pool);
  const [columns = { count: 1 }] = loops.pool;
  for (let window = 0; window < time.windows; window++) {
    const last = windowEnd(time, window);
    const part = window % pooled;
    const group = groups[Math.floor(window / pooled) % groups.length];
    const place = Math.floor(window / pooled / groups.length);
    if (!group) continue;
    const perLine = Math.ceil(writtenWidth / beside);
    const y = Math.floor(place / perLine);
    const summedY = y * poolStrides[0] + Math.floor(part / columns.count);
    for (let second = 0; second < beside; second++) {
      const x = (place % perLine) * beside + second;
      if (x >= writtenWidth) continue;
      const summedX = x * poolStrides[1] + (part % columns.count);
      for (let output = 0; output < group.outputs; output++) {
        const channel = group.firstChannel + output;
        const lane = (second * lanes) / 2 + output;
        const summed = (summedY * summedWidth + summedX) * channels + channel;
        const show = (node: string | null, element: number, signal: string, after: number) => {
          if (node !== null) taps.push({ node, element, signal, cycle: last + after + lane });
        };
        show(nodes.sum, summed, "tap_accumulator", pipeline.accumulator);
        show(nodes.value, summed, "tap_value", pipeline.value);
        show(nodes.table, summed, "tap_table", pipeline.value + lookUp);
        if (part === pooled - 1) {
          const element = (y * writtenWidth + x) * channels + channel;
          show(nodes.pool, element, "tap_pool", pipeline.pool + lookUp);
        }
      }
    }
  }
  return taps;
}
