import { useTranslations } from "next-intl";
import { CopyButton, formatCount, formatShare } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { EndpointActions } from "./endpoint-actions";
import { EndpointState } from "./endpoint-state";

/** What the endpoint is called, how it is, what it runs on, and where it answers. */
export function EndpointHeader({ endpoint, board }: { endpoint: Endpoint; board: string }) {
  const t = useTranslations("endpoints.header");
  const { serving, wanted } = endpoint.replicas;
  return (
    <header className="mb-2 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0 flex-1 basis-72">
        <h1>{endpoint.name}</h1>
        <p className="mt-0.5 text-dense text-muted">
          <EndpointState endpoint={endpoint} /> · {t("revision", { revision: endpoint.revision })} ·{" "}
          <span className={endpoint.boardKind === "cpu" ? "" : "text-copper"}>{board}</span> ·{" "}
          {endpoint.engine}
          {wanted > 1 ? ` · ${t("replicas", { serving, wanted })}` : null}
          <ProofWords endpoint={endpoint} />
        </p>
        <p className="mt-1 flex flex-wrap items-center text-dense">
          <code className="break-all">{endpoint.url}</code>
          <CopyButton text={endpoint.url} label={t("copy")} />
        </p>
      </div>
      <EndpointActions endpoint={endpoint} />
    </header>
  );
}

/** What was proven of it, fact by fact. */
function ProofWords({ endpoint: { proof, origin, boardKind } }: { endpoint: Endpoint }) {
  const t = useTranslations("endpoints.header");
  if (origin) return <span> · {origin.proof}</span>;
  if (!proof || proof.vectors === 0) return null;
  const netlist = proof.levels?.find(({ level }) => level === "netlist");
  const facts = [
    t("proof", {
      kind: boardKind,
      equal: formatCount(proof.vectors - proof.mismatches),
      vectors: formatCount(proof.vectors),
    }),
    ...(netlist ? [t("netlist", { vectors: formatCount(netlist.vectors) })] : []),
    ...(proof.agreement === null ? [] : [t("agreement", { share: formatShare(proof.agreement) })]),
  ];
  return <span> · {facts.join(" · ")}</span>;
}
