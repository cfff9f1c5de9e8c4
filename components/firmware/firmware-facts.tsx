"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useBoardTitles } from "@/components/boards";
import { ProofLevels } from "@/components/builds";
import { Term, type TermId } from "@/components/glossary";
import {
  Age,
  Amount,
  formatCount,
  formatDigits,
  formatMhz,
  formatShare,
  quantityOfBytes,
  Section,
  StateMark,
  shortDigest,
} from "@/components/ui";
import type { ArtifactDetail } from "@/lib/common/contract";

interface Shown {
  readonly artifact: ArtifactDetail;
}

/** What the firmware is: for what, made by what, how large. */
export function FirmwareFacts({ artifact }: Shown) {
  const t = useTranslations("firmware.facts");
  const titleOf = useBoardTitles();
  const { manifest, sizeBytes, createdAt } = artifact;
  const facts: readonly Fact[] = [
    [t("kind"), t(manifest.kind), "artifact"],
    [t("engine"), manifest.engine, "engine"],
    [t("board"), titleOf(manifest.boardModel, "")],
    ...(manifest.part ? [[t("part"), <code key="part">{manifest.part}</code>] as const] : []),
    ...(manifest.clockHz ? [[t("clock"), formatMhz(manifest.clockHz)] as const] : []),
    [t("size"), <Amount key="size" {...quantityOfBytes(sizeBytes)} />],
    [t("created"), <Age key="created" time={createdAt} />],
    [t("platform"), <code key="platform">{manifest.platform}</code>],
    [t("batch"), formatCount(manifest.maxBatchSize), "batch"],
    [
      t("plan"),
      <code key="plan" title={manifest.planDigest}>
        {shortDigest(manifest.planDigest)}
      </code>,
    ],
  ];
  const tools = Object.entries(manifest.tools);
  return (
    <Section title={t("title")}>
      <Facts facts={facts} />
      {tools.length > 0 ? (
        <details className="mt-3">
          <summary className="cursor-pointer text-dense text-muted">{t("tools")}</summary>
          <Facts
            facts={tools.map(([command, version]) => [
              command,
              <code key={command}>{version}</code>,
            ])}
          />
        </details>
      ) : null}
    </Section>
  );
}

/** A name, what it is, and the term of the glossary that explains the name. */
type Fact = readonly [name: string, value: ReactNode, term?: TermId];

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[minmax(88px,auto)_minmax(0,1fr)] gap-x-6 gap-y-1 text-dense">
      {facts.map(([name, value, term]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{term ? <Term id={term}>{name}</Term> : name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How far it was proven, in words with the figures, and where to read more. */
export function ProofWords({ artifact: { proof, origin, manifest, buildId } }: Shown) {
  const t = useTranslations("firmware.proof");
  const report = <Link href={`/builds/${buildId}`}>{t("report")}</Link>;
  return (
    <Section title={t("title")} aside={report}>
      {!proof || proof.vectors === 0 ? <p>{origin?.proof ?? t("none")}</p> : null}
      {proof && proof.vectors > 0 ? (
        <div className="max-w-[68ch]">
          <p>
            {t("equal", {
              equal: formatCount(proof.vectors - proof.mismatches),
              total: formatCount(proof.vectors),
              kind: manifest.kind,
            })}
          </p>
          {proof.rows > 0 ? (
            <p className="mt-1">
              {t("rows", {
                rows: proof.rows,
                source: proof.source,
                error: formatDigits(proof.maxAbsError),
              })}{" "}
              {proof.agreement === null
                ? null
                : t("agreement", { agreement: formatShare(proof.agreement) })}
            </p>
          ) : null}
          {proof.levels ? <ProofLevels levels={proof.levels} /> : null}
        </div>
      ) : null}
    </Section>
  );
}

const signatureTones = { holds: "ok", unknown_key: "warn", broken: "bad" } as const;

/** Whose key signed it, and whether that holds. */
export function SignatureWords({ artifact: { signed, signature } }: Shown) {
  const t = useTranslations("firmware.signature");
  const key = signature.keyId;
  const text = {
    holds: t("holdsText", { key }),
    unknown_key: t("unknownText", { key }),
    broken: t("brokenText", { key }),
  }[signed];
  return (
    <Section title={t("title")}>
      <StateMark appearance={{ tone: signatureTones[signed], label: t(signed), why: text }} />
      <p className="mt-1 max-w-[68ch] break-words text-dense text-muted">{text}</p>
    </Section>
  );
}

/** Which endpoints need it, and for what. */
export function UseTable({ artifact: { uses, builds, shared } }: Shown) {
  const t = useTranslations("firmware.uses");
  return (
    <Section title={t("title")} id="uses">
      {uses.length === 0 ? (
        <p className="text-muted">{t("none")}</p>
      ) : (
        <table className="table max-w-[720px]">
          <thead>
            <tr>
              <th scope="col">{t("endpoint")}</th>
              <th scope="col" className="num">
                {t("revision")}
              </th>
              <th scope="col">{t("role")}</th>
            </tr>
          </thead>
          <tbody>
            {uses.map(({ endpoint, revision, role }) => (
              <tr key={`${endpoint} ${revision}`}>
                <td>
                  <Link className="row-link" href={`/endpoints/${endpoint}?tab=revisions`}>
                    {endpoint}
                  </Link>
                </td>
                <td className="num">{revision}</td>
                <td>{t(role)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="mt-2 text-dense text-muted">
        {t("builds", { count: builds })} {shared ? t("shared") : null}
      </p>
    </Section>
  );
}
