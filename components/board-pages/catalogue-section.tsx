"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { BoardDrawing, boardModelsQuery, useBoardFacts } from "@/components/boards";
import { Empty, formatCount, formatMhz, Loaded, Section, Skeleton } from "@/components/ui";
import type { BoardModelSummary } from "@/lib/common/contract";

/** Every board model that is known, with what each has. */
export function CatalogueSection() {
  const t = useTranslations("boards.catalogue");
  return (
    <Loaded
      query={useQuery(boardModelsQuery())}
      loading={<Skeleton lines={6} />}
      failure={t("unreadable")}
    >
      {({ items }) => <FilteredCatalogue models={items} />}
    </Loaded>
  );
}

function FilteredCatalogue({ models }: { models: readonly BoardModelSummary[] }) {
  const t = useTranslations("boards.catalogue");
  const [text, setText] = useState("");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) =>
    words.every((word) =>
      `${model.name} ${model.vendor} ${model.family} ${model.part}`.toLowerCase().includes(word),
    ),
  );
  return (
    <Section
      title={t("title")}
      aside={
        <span className="flex flex-wrap items-baseline gap-4 text-dense">
          <Link href="/toolchains">{t("toolchains")}</Link>
          <input
            className="field h-8 w-56 text-dense"
            placeholder={t("placeholder")}
            aria-label={t("filter")}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </span>
      }
    >
      <p className="mb-2 max-w-[68ch] text-muted">{t("text")}</p>
      {found.length === 0 ? (
        <Empty
          title={t("nothing", { text })}
          action={
            <button type="button" className="btn" onClick={() => setText("")}>
              {t("clear")}
            </button>
          }
        />
      ) : (
        <ul className="grid gap-x-8 tablet:grid-cols-2 desk:grid-cols-3">
          {found.map((model) => (
            <CatalogueEntry key={model.id} model={model} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function CatalogueEntry({ model }: { model: BoardModelSummary }) {
  const t = useTranslations("boards.catalogue");
  const facts = useBoardFacts(model.id);
  const { resources, clockHz, bitstreamNeeds, verifiedOnHardware } = model;
  const count = (of: string) => formatCount(resources[of] ?? 0);
  const numbers = [
    resources["lut"] ? t("cells", { count: count("lut") }) : null,
    resources["bramBlocks"] ? t("ram", { count: count("bramBlocks") }) : null,
    resources["dsp"] ? t("multipliers", { count: count("dsp") }) : null,
    clockHz ? formatMhz(clockHz) : null,
  ].filter((number) => number !== null);
  return (
    <li
      id={model.id}
      className="grid grid-cols-[88px_minmax(0,1fr)] gap-4 border-b border-line py-4 target:bg-wash"
    >
      <div className="flex h-20 items-center justify-center">
        <BoardDrawing drawing={facts.drawing} title={model.name} height={72} />
      </div>
      <div className="min-w-0 text-dense">
        <h3 className="truncate text-body">{model.name}</h3>
        <p className="truncate text-muted">
          {model.vendor} · <code>{model.part}</code>
        </p>
        <p className="text-muted">{numbers.join(" · ")}</p>
        <Link href={`/deploy?board=${model.id}`}>{t("deploy")}</Link>
        {bitstreamNeeds === null ? null : (
          <p className="text-muted">{t("needs", { tool: bitstreamNeeds })}</p>
        )}
        {verifiedOnHardware ? null : <p className="text-muted">{t("unverified")}</p>}
      </div>
    </li>
  );
}
