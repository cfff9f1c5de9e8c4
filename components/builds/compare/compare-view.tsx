"use client";

import { useQueries, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Empty, ErrorNote, modelTitle, Section, Skeleton, shortId } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { buildQuery, buildsQuery } from "../api";
import { CompareTable } from "./compare-table";
import { mostCompared } from "./compared";
import { FirstDifferences } from "./first-difference";
import { ParetoPlot } from "./pareto-plot";
import { areOfOneModel } from "./rows";

const addressOf = (ids: readonly string[]) => `/builds/compare?ids=${ids.join(",")}`;

/** Builds side by side; which ones lies in the address. */
export function CompareView({ ids }: { ids: readonly string[] }) {
  const router = useRouter();
  const t = useTranslations("builds.compare");
  const results = useQueries({ queries: ids.map((id) => buildQuery(id)) });
  const builds = results.flatMap(({ data }) => data ?? []);
  const failed = results.flatMap(({ isError, error, refetch }, index) =>
    isError ? [{ id: ids[index] ?? "", error, refetch }] : [],
  );
  const leave = (id: string) => router.push(addressOf(ids.filter((each) => each !== id)));
  if (ids.length === 0) {
    return (
      <Empty
        title={t("none.title")}
        action={
          <Link className="btn btn-primary" href="/builds">
            {t("none.action")}
          </Link>
        }
      >
        {t("none.text")}
      </Empty>
    );
  }
  if (results.some(({ isPending }) => isPending)) return <Skeleton lines={10} height={28} />;
  return (
    <>
      {failed.map(({ id, error, refetch }) => (
        <div key={id} className="mb-6">
          <ErrorNote
            title={t("unreadable", { id: shortId(id) })}
            error={error}
            onRetry={() => void refetch()}
          />
          <button type="button" className="btn btn-quiet btn-dense" onClick={() => leave(id)}>
            {t("leaveIt")}
          </button>
        </div>
      ))}
      {ids.length < mostCompared ? <Adder builds={builds} ids={ids} /> : null}
      {builds.length === 0 ? null : (
        <>
          <Section id="side-by-side" title={t("sideBySide")}>
            {areOfOneModel(builds) ? null : (
              <p className="mb-3 max-w-[68ch] border-l-2 border-info py-1 pl-4 text-dense">
                {t("differentModels")}
              </p>
            )}
            <CompareTable builds={builds} onRemove={leave} />
          </Section>
          {builds.length > 1 ? (
            <>
              <Section id="log" title={t("log.title")}>
                <FirstDifferences builds={builds} />
              </Section>
              <Section id="plot" title={t("plot")}>
                <ParetoPlot builds={builds} />
              </Section>
            </>
          ) : (
            <p className="text-muted">{t("addSecond")}</p>
          )}
        </>
      )}
    </>
  );
}

/** Adds another build of the first one's model. */
function Adder({ builds: [first], ids }: { builds: readonly Build[]; ids: readonly string[] }) {
  const t = useTranslations("builds.compare");
  const router = useRouter();
  const others = useQuery({
    ...buildsQuery("state=succeeded"),
    select: ({ items }) =>
      items.filter(({ id, modelUrl }) => modelUrl === first?.modelUrl && !ids.includes(id)),
  });
  if (!first || !others.data || others.data.length === 0) return null;
  return (
    <div className="mb-6 flex flex-wrap items-center gap-2 text-dense">
      <label htmlFor="add" className="text-muted">
        {t("add", { model: modelTitle(first.modelUrl, first.modelName) })}
      </label>
      <select
        id="add"
        className="field h-8 w-72 max-w-full text-dense"
        value=""
        onChange={(event) => router.push(addressOf([...ids, event.target.value]))}
      >
        <option value="">{t("choose")}</option>
        {others.data.map((build) => (
          <option key={build.id} value={build.id}>
            {[build.endpointName ?? shortId(build.id), build.boardModel, build.engine].join(" · ")}
          </option>
        ))}
      </select>
    </div>
  );
}
