import { formatCount } from "@/components/ui";
import type { ProofLevel, ProvenLevel } from "@/lib/common/contract";

const words = {
  rtl: "The circuit as it was written",
  netlist: "The logic cells it became, as placed",
  shell: "The circuit behind its serial line",
} as const satisfies Record<ProofLevel, string>;

/** What of a firmware was held against its quantised model, and what was not. */
export function ProofLevels({ levels }: { levels: readonly ProvenLevel[] }) {
  return (
    <>
      <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-3 text-dense">
        {levels.map(({ level, vectors }) => (
          <div key={level} className="contents">
            <dt className="text-muted">{words[level]}</dt>
            <dd className="text-right">
              {formatCount(vectors)} {vectors === 1 ? "vector" : "vectors"}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-label text-muted">
        Each was simulated. The bitstream was not: a board answers vectors when it is loaded.
      </p>
    </>
  );
}
