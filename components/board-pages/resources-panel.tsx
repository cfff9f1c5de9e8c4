"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { buildQuery, DesignOnChip } from "@/components/builds";
import { ResourceTerm } from "@/components/glossary";
import { formatBytes, formatCount, Loaded, ResourceBars, Section, Skeleton } from "@/components/ui";
import type { BoardDetail, BoardModelDetail, Report } from "@/lib/common/contract";
import { boardModelQuery } from "./api";
import { FittingArtifacts } from "./fitting-artifacts";

/** What the part has and what of it is used, where the loaded design lies, and what else would fit. */
export function ResourcesPanel({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.resources");
  const slot = board.slots.find(
    ({ buildId, artifactDigest }) => buildId !== null && artifactDigest !== null,
  );
  const report = useQuery({ ...buildQuery(slot?.buildId ?? ""), enabled: slot !== undefined }).data
    ?.report;
  if (board.kind === "cpu")
    return (
      <>
        <p className="mb-8 max-w-[68ch] text-muted">{t("cpu")}</p>
        <FittingArtifacts board={board} />
      </>
    );
  return (
    <>
      <Section id="budget" title={t("budget")}>
        <Budget board={board} used={report?.resources ?? []} place={slot?.index ?? null} />
      </Section>
      <Section
        title={t("placement")}
        aside={
          slot?.buildId ? (
            <Link className="text-dense" href={`/builds/${slot.buildId}#placement`}>
              {t("build")}
            </Link>
          ) : null
        }
      >
        {slot?.artifactDigest && report?.sections && report.sections.length > 0 ? (
          <DesignOnChip digest={slot.artifactDigest} sections={report.sections} />
        ) : (
          <p className="max-w-[68ch] text-muted">{slot ? t("noPlacement") : t("none")}</p>
        )}
      </Section>
      <FittingArtifacts board={board} />
    </>
  );
}

function Budget({
  board,
  used,
  place,
}: {
  board: BoardDetail;
  used: Report["resources"];
  place: number | null;
}) {
  const t = useTranslations("boards.resources");
  const model = useQuery(boardModelQuery(board.boardModel));
  return (
    <Loaded query={model} loading={<Skeleton lines={4} />} failure={t("fitsUnreadable")}>
      {(detail) => (
        <>
          {used.length > 0 ? (
            <div className="max-w-[720px]">
              <ResourceBars resources={used} />
            </div>
          ) : (
            <p className="mb-3 text-muted">{place === null ? t("none") : t("noPlacement")}</p>
          )}
          <BudgetTable model={detail} />
        </>
      )}
    </Loaded>
  );
}

function BudgetTable({ model }: { model: BoardModelDetail }) {
  const t = useTranslations("boards.resources");
  const { lut, lutType, ff, bramBlocks, bramBlockBits, dsp, spramBits } = model.part.resources;
  const rows = [
    ["lut", t("lut", { type: lutType }), formatCount(lut)],
    ["ff", t("ff"), formatCount(ff)],
    ["bram", t("bram", { size: formatBytes(bramBlockBits / 8) }), formatCount(bramBlocks)],
    ["dsp", t("dsp"), formatCount(dsp)],
    ...(spramBits > 0 ? [["spram", t("spram"), formatBytes(spramBits / 8)] as const] : []),
  ] as const;
  return (
    <table className="table mt-4 max-w-[480px] text-dense">
      <caption className="sr-only">{t("budget")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("kind")}</th>
          <th scope="col" className="num">
            {t("available")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([id, name, count]) => (
          <tr key={id}>
            <th scope="row" className="font-normal! text-text!">
              <ResourceTerm id={id}>{name}</ResourceTerm>
            </th>
            <td className="num">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
