"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { buildQuery } from "@/components/builds";
import {
  formatCount,
  formatShare,
  Loaded,
  Picture,
  Skeleton,
  shortId,
  useResourceName,
} from "@/components/ui";
import type { Build, ModelDetail, SectionUse } from "@/lib/common/contract";
import { buildsOfModelQuery } from "./api";
import { layerNames } from "./layer-names";

/** What each layer takes of the chip in the newest finished firmware of this model. */
export function LayerCost({ model }: { readonly model: ModelDetail }) {
  const t = useTranslations("library.cost");
  const builds = useQuery(buildsOfModelQuery(model.id));
  return (
    <Loaded query={builds} loading={<Skeleton lines={3} height={28} />} failure={t("unreadable")}>
      {({ items }) => {
        const newest = items.find(
          ({ state, boardKind, report }) =>
            state === "succeeded" &&
            boardKind !== "cpu" &&
            report?.resources.some(({ used }) => used),
        );
        return newest ? <OfBuild id={newest.id} /> : <p className="text-muted">{t("noBuild")}</p>;
      }}
    </Loaded>
  );
}

function OfBuild({ id }: { readonly id: string }) {
  const t = useTranslations("library.cost");
  const build = useQuery(buildQuery(id));
  return (
    <Loaded query={build} loading={<Skeleton lines={3} height={28} />} failure={t("unreadable")}>
      {(found) => <Costs build={found} />}
    </Loaded>
  );
}

function Costs({ build }: { readonly build: Build }) {
  const t = useTranslations("library.cost");
  const titleOf = useResourceName();
  const core = (build.report?.sections ?? []).filter(({ group }) => group === "core");
  const resources = (build.report?.resources ?? []).filter(({ id }) =>
    core.some(({ uses }) => uses[id]),
  );
  const main = resources.find(({ id }) => id === "lut") ?? resources[0];
  const link = (
    <Link href={`/builds/${build.id}#placement`}>{build.endpointName ?? shortId(build.id)}</Link>
  );
  if (!main) return <p className="text-muted">{t.rich("noSections", { build: () => link })}</p>;
  const usedBy = ({ uses }: SectionUse) => uses[main.id] ?? 0;
  const rows = core.toSorted((a, b) => usedBy(b) - usedBy(a));
  const total = rows.reduce((sum, row) => sum + usedBy(row), 0);
  const [largest] = rows;
  const nameOf = layerNames(rows.map(({ name }) => name));
  return (
    <>
      <Picture
        title={t("finding", {
          layer: nameOf(largest?.name ?? ""),
          share: formatShare(largest && total > 0 ? usedBy(largest) / total : 0),
          total: formatCount(total),
          resource: titleOf(main).toLowerCase(),
        })}
        summary={t("reading", { resource: titleOf(main).toLowerCase() })}
        file="cells-per-layer"
        rows={rows}
        columns={[
          { id: "layer", label: t("layer"), value: ({ name }) => name },
          ...resources.map((resource) => ({
            id: resource.id,
            label: titleOf(resource),
            value: ({ uses }: SectionUse) => uses[resource.id] ?? 0,
            show: ({ uses }: SectionUse) => formatCount(uses[resource.id] ?? 0),
          })),
        ]}
      >
        <div className="grid grid-cols-[minmax(64px,max-content)_minmax(0,1fr)_max-content] items-center gap-x-3 gap-y-1">
          {rows.map((row, index) => (
            <div key={row.id} className="contents">
              <span className="max-w-32 truncate text-dense tablet:max-w-56" title={row.name}>
                {nameOf(row.name)}
              </span>
              <span className="h-4" data-point={index}>
                <i
                  className="block h-full min-w-0.5 bg-copper"
                  style={{
                    width: `${largest ? (usedBy(row) / (usedBy(largest) || 1)) * 100 : 0}%`,
                  }}
                />
              </span>
              <span className="num text-dense">{formatCount(usedBy(row))}</span>
            </div>
          ))}
        </div>
      </Picture>
      <p className="mt-2 max-w-[80ch] text-dense text-muted">
        {t.rich("ofBuild", { build: () => link })}{" "}
        {rows.some(({ id }) => id.startsWith("layer-")) ? null : t("shared")}
      </p>
    </>
  );
}
