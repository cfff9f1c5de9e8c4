import { parseAsIsoDateTime, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type TrafficRange, trafficRanges } from "@/lib/common/contract";

const parsers = {
  range: parseAsStringLiteral(trafficRanges).withDefault("1h"),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

/** The stretch of time that all charts of a page show; it is in the address. */
export interface TimeWindow {
  /** Null: between two moments. */
  readonly range: TrafficRange | null;
  /** The API's query. */
  readonly query: string;
  setRange(range: TrafficRange): void;
  setSpan(fromMs: number, toMs: number): void;
}

/** Reads and changes the stretch of time of the address; Back goes to the one before. */
export function useTimeWindow(): TimeWindow {
  const [{ range, from, to }, set] = useQueryStates(parsers, { history: "push" });
  const query =
    from && to
      ? new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })
      : new URLSearchParams({ range });
  return {
    range: from && to ? null : range,
    query: String(query),
    setRange: (next) => void set({ range: next, from: null, to: null }),
    setSpan: (fromMs, toMs) =>
      void set({ range: null, from: new Date(fromMs), to: new Date(toMs) }),
  };
}
