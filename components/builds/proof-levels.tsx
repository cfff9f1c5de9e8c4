import { formatCount } from "@/components/ui";
import type { ProofLevel, ProvenLevel } from "@/lib/common/contract";

const words = {
  rtl: "The circuit as it was written",
  netlist: "The logic cells it became, as placed",
  shell: "The circuit behind its serial line",
  bitstream: "The bitstream, read back",
} as const satisfies Record<ProofLevel, string>;

/** What of a firmware was held against its quantised model, and what was not. */
export function ProofLevels({ levels }: { levels: readonly ProvenLevel[] }) {
  const isBitstreamProven = levels.some(({ level }) => level === "bitstream");
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
        {isBitstreamProven
          ? "Each was simulated, the last from the very file that boards load. A board answers vectors too when it is loaded."
          : "Netlist proven, bitstream not: each of these was simulated. A board answers vectors when it is loaded."}
      </p>
    </>
  );
}
