import Link from "next/link";
import { Age, CopyButton, formatCount, formatShare, StateButton } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { endpointAppearance } from "./appearance";
import { EndpointActions } from "./endpoint-actions";

/** What the endpoint is called, how it is, what it runs on, and where it answers. */
export function EndpointHeader({ endpoint, board }: { endpoint: Endpoint; board: string }) {
  return (
    <header className="mb-2 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1>{endpoint.name}</h1>
        <p className="mt-0.5 text-dense text-muted">
          <StateWords endpoint={endpoint} /> · revision {endpoint.revision} ·{" "}
          <span className={endpoint.boardKind === "cpu" ? "" : "text-copper"}>{board}</span> ·{" "}
          {endpoint.engine}
          {endpoint.replicas.wanted > 1
            ? ` · ${endpoint.replicas.serving} of ${endpoint.replicas.wanted} replicas`
            : null}
          <ProofWords endpoint={endpoint} />
        </p>
        <p className="mt-1 flex flex-wrap items-center text-dense">
          <code className="break-all">{endpoint.url}</code>
          <CopyButton text={endpoint.url} label="Copy the address" />
        </p>
      </div>
      <EndpointActions endpoint={endpoint} />
    </header>
  );
}

function StateWords({ endpoint }: { endpoint: Endpoint }) {
  const { state, reason, readyAt, createdAt, buildId } = endpoint;
  return (
    <StateButton appearance={endpointAppearance[state]}>
      {reason ? <p className="mt-2">{reason}</p> : null}
      <p className="mt-2 text-muted">
        {readyAt ? (
          <>
            Ready <Age time={readyAt} />.
          </>
        ) : (
          <>
            Made <Age time={createdAt} />.
          </>
        )}
        {buildId ? (
          <>
            {" "}
            <Link href={`/builds/${buildId}`}>Look at the build</Link>
          </>
        ) : null}
      </p>
    </StateButton>
  );
}

function ProofWords({ endpoint: { proof, origin, boardKind } }: { endpoint: Endpoint }) {
  if (origin) return <span> · {origin.proof}</span>;
  if (!proof || proof.vectors === 0) return null;
  const equal = formatCount(proof.vectors - proof.mismatches);
  const netlist = proof.levels?.find(({ level }) => level === "netlist");
  return (
    <span>
      {" "}
      · equal to its {boardKind === "cpu" ? "" : "quantised "}model on {equal} of{" "}
      {formatCount(proof.vectors)} vectors
      {netlist ? `, its logic cells as placed on ${formatCount(netlist.vectors)} of them` : ""}
      {proof.agreement === null ? "" : `, ${formatShare(proof.agreement)} agreement with float`}
    </span>
  );
}
