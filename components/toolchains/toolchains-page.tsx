"use client";

import { useQuery } from "@tanstack/react-query";
import { forecastDeviationsQuery } from "@/components/forecasts";
import { CopyButton, ErrorNote, formatCount, Section, Skeleton } from "@/components/ui";
import type { ForecastDeviation } from "@/lib/common/contract";
import { artifactsQuery } from "./api";
import { ForecastDeviations } from "./forecast-deviations";
import { type Toolchain, toolchainsOf } from "./toolchains";

/** The programs behind the bitstreams, by family, and how well builds with them were forecast here. */
export function ToolchainsPage() {
  const artifacts = useQuery(artifactsQuery());
  const deviations = useQuery(forecastDeviationsQuery());
  const failed = artifacts.isError ? artifacts : deviations.isError ? deviations : null;
  return (
    <>
      <h1 className="mb-2">Toolchains</h1>
      <p className="mb-8 max-w-prose text-muted">
        Versions are those of the latest artifact that a family's tools made here. The build worker
        looks for them whenever a build begins; <code>npm run doctor</code> looks now.
      </p>
      {failed ? (
        <ErrorNote
          title="The toolchains cannot be read."
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      ) : artifacts.data && deviations.data ? (
        toolchainsOf(artifacts.data.items).map((toolchain) => (
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
  const { families, title, boards, tools, setup, vendorTools } = toolchain;
  const own = deviations.filter(({ family }) => families.includes(family));
  return (
    <Section
      title={title}
      aside={
        <span className="text-dense text-muted">
          {formatCount(boards.length)} {boards.length === 1 ? "board" : "boards"}
        </span>
      }
    >
      <p className="mb-4 text-dense text-muted">{boards.join(", ")}</p>
      <dl className="mb-4 grid gap-x-6 gap-y-1 text-dense tablet:grid-cols-[12rem_1fr]">
        {tools.map(({ command, version }) => (
          <div key={command} className="contents">
            <dt className="font-mono">{command}</dt>
            <dd className="break-words text-muted">{version ?? "made nothing here yet"}</dd>
          </div>
        ))}
      </dl>
      {vendorTools.length > 0 ? (
        <p className="mb-4 max-w-prose text-dense">
          Bitstreams need {vendorTools.join(" or ")}, which you get from the vendor. Without it a
          build ends with a proven netlist and the whole project for that tool.
        </p>
      ) : null}
      {setup !== null && tools.every(({ version }) => version === null) ? (
        <p className="mb-4 flex flex-wrap items-center gap-2 text-dense">
          Installed by <code>{setup}</code> <CopyButton text={setup} />
        </p>
      ) : null}
      {own.length > 0 ? (
        <ForecastDeviations deviations={own} />
      ) : (
        <p className="text-dense text-muted">
          No finished build yet, so forecasts are the formulas' alone.
        </p>
      )}
    </Section>
  );
}
