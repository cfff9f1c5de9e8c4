"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { doctorQuery } from "@/components/doctor";
import { artifactsQuery } from "@/components/firmware";
import { forecastDeviationsQuery } from "@/components/forecasts";
import { CopyButton, ErrorNote, Loaded, Section, Skeleton } from "@/components/ui";
import type { ForecastDeviation } from "@/lib/common/contract";
import { ForecastDeviations } from "./forecast-deviations";
import { ToolMatrix } from "./tool-matrix";
import { type Toolchain, toolchainsOf } from "./toolchains";

const BoardNeeds = dynamic(() => import("./board-needs").then((module) => module.BoardNeeds), {
  ssr: false,
  loading: () => <Skeleton lines={3} height={28} />,
});

/** Which tools the runners have, what a board still needs, and how well builds were forecast, by family. */
export function ToolchainsPage() {
  const t = useTranslations("toolchains");
  const artifacts = useQuery(artifactsQuery("limit=100"));
  const deviations = useQuery(forecastDeviationsQuery());
  const doctor = useQuery(doctorQuery());
  const failed = artifacts.isError ? artifacts : deviations.isError ? deviations : null;
  const toolchains = toolchainsOf(artifacts.data?.items ?? []);
  return (
    <>
      <h1 className="mb-2">{t("title")}</h1>
      <p className="mb-8 max-w-prose text-muted">{t("intro")}</p>
      <Section title={t("matrix.title")} id="runners">
        <Loaded
          query={doctor}
          loading={<Skeleton lines={8} height={28} />}
          failure={t("matrix.unreadable")}
        >
          {({ buildWorkers }) => (
            <ToolMatrix workers={buildWorkers ?? []} toolchains={toolchains} />
          )}
        </Loaded>
      </Section>
      <Section title={t("needs.title")} id="needs">
        <BoardNeeds />
      </Section>
      <h2 className="mb-4">{t("families")}</h2>
      {failed ? (
        <ErrorNote
          title={t("unreadable")}
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      ) : artifacts.data && deviations.data ? (
        toolchains.map((toolchain) => (
          <Family key={toolchain.title} toolchain={toolchain} deviations={deviations.data.items} />
        ))
      ) : (
        <Skeleton lines={4} height={120} />
      )}
    </>
  );
}

function Family({
  toolchain,
  deviations,
}: {
  toolchain: Toolchain;
  deviations: readonly ForecastDeviation[];
}) {
  const t = useTranslations("toolchains.family");
  const { families, title, boards, tools, setup, vendorTools } = toolchain;
  const own = deviations.filter(({ family }) => families.includes(family));
  return (
    <section className="mb-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h3>{title}</h3>
        <span className="text-dense text-muted">{t("boards", { count: boards.length })}</span>
      </div>
      <p className="mb-4 text-dense text-muted">{boards.join(", ")}</p>
      <dl className="mb-4 grid gap-x-6 gap-y-1 text-dense tablet:grid-cols-[12rem_1fr]">
        {tools.map(({ command, version }) => (
          <div key={command} className="contents">
            <dt className="font-mono">{command}</dt>
            <dd className="break-words text-muted">{version ?? t("unused")}</dd>
          </div>
        ))}
      </dl>
      {vendorTools.length > 0 ? (
        <p className="mb-4 max-w-prose text-dense">
          {t("vendor", { tools: vendorTools.join(", ") })}
        </p>
      ) : null}
      {setup !== null && tools.every(({ version }) => version === null) ? (
        <p className="mb-4 flex flex-wrap items-center gap-2 text-dense">
          {t.rich("setup", { command: () => <code>{setup}</code> })} <CopyButton text={setup} />
        </p>
      ) : null}
      {own.length > 0 ? (
        <ForecastDeviations deviations={own} />
      ) : (
        <p className="text-dense text-muted">{t("unforecast")}</p>
      )}
    </section>
  );
}
