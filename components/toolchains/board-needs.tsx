"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { useId } from "react";
import { listBoardModels } from "@/boards";
import { enginesQuery } from "@/components/engines";
import { CopyButton, Loaded, Skeleton, StateMark } from "@/components/ui";
import type { EngineSummary } from "@/lib/common/contract";

const boards = listBoardModels()
  .map(({ id, name }) => ({ id, name }))
  .sort((a, b) => a.name.localeCompare(b.name));

/** For one board: which engines build for it here, and what the others still need. */
export function BoardNeeds() {
  const t = useTranslations("toolchains.needs");
  const [board, setBoard] = useQueryState("board", parseAsString.withDefault("icebreaker"));
  const engines = useQuery(enginesQuery());
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="mb-1 block text-dense">
        {t("board")}
      </label>
      <select
        id={id}
        className="field mb-4 max-w-80"
        value={board}
        onChange={(event) => void setBoard(event.target.value)}
      >
        {boards.some((each) => each.id === board) ? null : <option value={board}>{board}</option>}
        {boards.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </select>
      <Loaded
        query={engines}
        loading={<Skeleton lines={4} height={28} />}
        failure={t("unreadable")}
      >
        {({ items }) => (
          <Engines engines={items.filter((each) => each.boards.includes(board))} board={board} />
        )}
      </Loaded>
    </>
  );
}

function Engines({ engines, board }: { engines: readonly EngineSummary[]; board: string }) {
  const t = useTranslations("toolchains.needs");
  if (engines.length === 0) return <p className="text-muted">{t("none")}</p>;
  return (
    <ul className="max-w-[760px]">
      {engines.map(({ id, title, lacking }) => {
        const needs = lacking.filter(({ boards: about }) => about.includes(board));
        const usual = needs.filter(({ option }) => option === undefined);
        return (
          <li key={id} className="border-b border-line py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-3">
              <span className="font-strong">{title}</span>
              <StateMark
                appearance={{
                  tone: usual.length === 0 ? "ok" : "warn",
                  label: t(usual.length === 0 ? "ready" : "lacks"),
                  why: "",
                }}
              />
            </p>
            {needs.map(({ formats, option, tools }) => (
              <div key={`${formats} ${option?.name} ${option?.value}`} className="mt-1 text-dense">
                <p className="text-muted">
                  {option
                    ? t("forOption", { name: option.name, value: String(option.value) })
                    : t("for", { formats: formats.join(", ") })}
                </p>
                <ul>
                  {tools.map(({ command, hint }) => (
                    <li key={command} className="flex flex-wrap items-center gap-x-2">
                      <code>{command}</code>
                      <span className="break-words">{hint}</span>
                      <CopyButton text={hint} label={t("copy", { command })} />
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
