import type { Tap } from "../integer-graph";
import { type MapSchedule, pipeline, windowEnd } from "./schedule";
import { countOf, type Sweep } from "./sweep";

/**
 * When each element of each node shows itself in the core: sums with their bias on `tap_accumulator`, requantised values
 * on `tap_value`, pooled ones on `tap_pool`. Values that pooling leaves out are never made and have none.
 */
export function mapTaps(sweeps: readonly Sweep[], schedule: MapSchedule): Tap[] {
  return sweeps.flatMap((sweep, index) => tapsOfSweep(sweep, schedule, index));
}

function tapsOfSweep(sweep: Sweep, { times }: MapSchedule, index: number): Tap[] {
  const time = times[index];
  if (!time) return [];
  const { nodes, groups, loops, channels, summedWidth, writtenWidth, poolStrides } = sweep;
  const taps: Tap[] = [];
  const pooled = countOf(loops.pool);
  const [columns = { count: 1 }] = loops.pool;
  for (let window = 0; window < time.windows; window++) {
    const last = windowEnd(time, window);
    const part = window % pooled;
    const group = groups[Math.floor(window / pooled) % groups.length];
    const pixel = Math.floor(window / pooled / groups.length);
    if (!group) continue;
    const [y, x] = [Math.floor(pixel / writtenWidth), pixel % writtenWidth];
    const summedY = y * poolStrides[0] + Math.floor(part / columns.count);
    const summedX = x * poolStrides[1] + (part % columns.count);
    for (let lane = 0; lane < group.outputs; lane++) {
      const channel = group.firstChannel + lane;
      const summed = (summedY * summedWidth + summedX) * channels + channel;
      const show = (node: string | null, element: number, signal: string, after: number) => {
        if (node !== null) taps.push({ node, element, signal, cycle: last + after + lane });
      };
      show(nodes.sum, summed, "tap_accumulator", pipeline.accumulator);
      show(nodes.value, summed, "tap_value", pipeline.value);
      if (part === pooled - 1) {
        show(nodes.pool, pixel * channels + channel, "tap_pool", pipeline.pool);
      }
    }
  }
  return taps;
}
