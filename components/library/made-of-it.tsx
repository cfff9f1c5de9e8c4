"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useBoardTitles } from "@/components/boards";
import { BuildState, ParetoPlot, useBuildAppearance } from "@/components/builds";
import { EndpointState } from "@/components/endpoints";
import { Age, formatCount, Loaded, Section, Skeleton, StateMark, shortId } from "@/components/ui";
import type { Build, ModelDetail } from "@/lib/common/contract";
import { buildsOfModelQuery } from "./api";

const mostShown = 10;

/** Endpoints and builds of a version, each with its state; of two builds or more, latency against area. */
export function MadeOfIt({ model }: { model: ModelDetail }) {
  const t = useTranslations("library.made");
  const appearance = useBuildAppearance();
  const total = model.builds.reduce((sum, { count }) => sum + count, 0);
  const builds = useQuery(buildsOfModelQuery(model.id));
  return (
    <>
      <Section title={t("endpoints")} id="endpoints">
        <EndpointTable endpoints={model.endpoints} />
      </Section>
      <Section
        title={t("builds")}
        id="builds"
        aside={
          <Link
            className="text-dense"
            href={`/builds?search=${encodeURIComponent(model.url.slice(0, 200))}`}
          >
            {t("allBuilds", { count: total })}
          </Link>
        }
      >
        <p className="mb-3 flex flex-wrap gap-x-4 text-dense">
          {model.builds.map(({ state, count }) => (
            <span key={state}>
              <StateMark
                appearance={appearance[state]}
                label={t("stateCount", {
                  state: appearance[state].label,
                  count: formatCount(count),
                })}
              />
            </span>
          ))}
        </p>
        <Loaded
          query={builds}
          loading={<Skeleton lines={4} height={28} />}
          failure={t("unreadable")}
          empty={<p className="text-muted">{t("noBuilds")}</p>}
        >
          {({ items }) => <BuildTable builds={items.slice(0, mostShown)} />}
        </Loaded>
      </Section>
      <Plot builds={builds.data?.items ?? []} />
    </>
  );
}

function EndpointTable({ endpoints }: Pick<ModelDetail, "endpoints">) {
  const t = useTranslations("library.made");
  const titleOf = useBoardTitles();
  if (endpoints.length === 0) return <p className="text-muted">{t("noEndpoints")}</p>;
  return (
    <table className="table max-w-[840px]">
      <thead>
        <tr>
          <th scope="col">{t("name")}</th>
          <th scope="col">{t("state")}</th>
          <th scope="col" className="max-tablet:hidden">
            {t("board")}
          </th>
          <th scope="col" className="max-tablet:hidden">
            {t("engine")}
          </th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map(({ name, state, engine, boardModel, boardKind }) => (
          <tr key={name}>
            <td>
              <Link className="row-link break-all" href={`/endpoints/${name}`}>
                {name}
              </Link>
            </td>
            <td>
              <EndpointState endpoint={{ name, state }} />
            </td>
            <td className={`max-tablet:hidden ${boardKind === "cpu" ? "" : "text-copper"}`}>
              {titleOf(boardModel, boardKind)}
            </td>
            <td className="max-tablet:hidden">{engine}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function BuildTable({ builds }: { builds: readonly Build[] }) {
  const t = useTranslations("library.made");
  const titleOf = useBoardTitles();
  return (
    <table className="table max-w-[840px]">
      <thead>
        <tr>
          <th scope="col">{t("build")}</th>
          <th scope="col">{t("state")}</th>
          <th scope="col" className="max-tablet:hidden">
            {t("board")}
          </th>
          <th scope="col" className="num">
            {t("created")}
          </th>
        </tr>
      </thead>
      <tbody>
        {builds.map((build) => {
          const { id, endpointName, boardModel, boardKind, createdAt } = build;
          return (
            <tr key={id}>
              <td>
                <Link className="row-link break-all" href={`/builds/${id}`}>
                  {endpointName ?? shortId(id)}
                </Link>
              </td>
              <td>
                <BuildState build={build} />
              </td>
              <td className="max-tablet:hidden">{titleOf(boardModel, boardKind)}</td>
              <td className="num text-dense text-muted">
                <Age time={createdAt} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** One point for each artifact: builds that reused it say nothing new. */
function Plot({ builds }: { builds: readonly Build[] }) {
  const t = useTranslations("library.made");
  const own = builds.filter(
    ({ report, reused }) =>
      !reused &&
      report?.latencyCycles &&
      report.clockHz &&
      report.resources.some(({ id }) => id === "lut"),
  );
  if (own.length < 2) return null;
  return (
    <Section
      title={t("pareto")}
      id="pareto"
      aside={
        <Link
          className="text-dense"
          href={`/builds/compare?ids=${own
            .slice(0, 6)
            .map(({ id }) => id)
            .join(",")}`}
        >
          {t("compare")}
        </Link>
      }
    >
      <ParetoPlot builds={own} />
    </Section>
  );
}
