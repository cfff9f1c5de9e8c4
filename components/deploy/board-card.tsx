"use client";

import { useTranslations } from "next-intl";
import { BoardDrawing, useBoardFacts } from "@/components/boards";
import { ToneIcon } from "@/components/ui";
import type { BoardVerdict } from "./board-verdict";
import type { BoardChoice } from "./choices";
import { keyOfPick } from "./draft";

/** One board to choose: its drawing, whether it can be had now, and whether the model fits it. */
export function BoardCard({
  choice,
  verdict,
  checked,
  engine,
  onChoose,
}: {
  choice: BoardChoice;
  verdict: BoardVerdict | undefined;
  checked: boolean;
  /** The chosen engine. */
  engine: string;
  onChoose: () => void;
}) {
  const t = useTranslations("deploy.boards");
  const { pick, name, availability } = choice;
  const facts = useBoardFacts(pick.model);
  const isOut =
    availability === "offline" ||
    availability === "drained" ||
    (verdict?.kind === "mismatch" && verdict.engine === null);
  const id = `board-${keyOfPick(pick).replaceAll(" ", "-")}`;
  return (
    <label
      className={`grid min-w-0 grid-cols-[44px_minmax(0,1fr)] items-center gap-x-3 rounded-control border px-2.5 py-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${
        checked
          ? "border-accent bg-wash"
          : isOut
            ? "border-line"
            : "cursor-pointer border-line bg-surface hover:border-line-strong"
      } ${pick.kind === "simulated" ? "board-simulated" : ""}`}
    >
      <input
        type="radio"
        name="board"
        className="sr-only"
        checked={checked}
        disabled={isOut && !checked}
        onChange={onChoose}
        aria-label={pick.kind === "simulated" ? t("simulatedName", { name }) : name}
        aria-describedby={`${id}-note ${id}-verdict`}
      />
      <span aria-hidden="true" className={`flex justify-center ${isOut ? "opacity-40" : ""}`}>
        <BoardDrawing
          drawing={facts.drawing}
          title={facts.name}
          simulated={pick.kind === "simulated"}
          height={40}
        />
      </span>
      <span className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 font-strong break-words">{name}</span>
          {pick.kind === "simulated" ? <span className="label">{t("simulated")}</span> : null}
        </span>
        <span id={`${id}-note`} className="block text-label break-words text-muted">
          <Note choice={choice} />
        </span>
        <span id={`${id}-verdict`} className="block text-dense break-words">
          {verdict ? <VerdictLine choice={choice} verdict={verdict} engine={engine} /> : null}
        </span>
      </span>
    </label>
  );
}

/** Whether it can be had now, and what else somebody should know of the board itself. */
function Note({ choice }: { choice: BoardChoice }) {
  const t = useTranslations("deploy.boards");
  const { pick, availability, places, serverName, endpoints, bitstreamNeeds } = choice;
  const first =
    availability === "offline"
      ? t("offline")
      : availability === "drained"
        ? t("drained")
        : availability === "busy"
          ? endpoints.length > 0
            ? t("busyWith", { endpoints: endpoints.join(", ") })
            : t("busy")
          : pick.kind === "simulated"
            ? t("madeWhenNeeded")
            : places === null || pick.kind === "physical"
              ? t("freeNow")
              : t("freePlaces", { free: places.free, all: places.all });
  return [
    first,
    ...(serverName === null ? [] : [t("on", { server: serverName })]),
    ...(choice.loadsBondOnly ? [t("bondOnly")] : []),
    ...(pick.kind === "simulated" && bitstreamNeeds !== null
      ? [t("bitstreamNeeds", { tool: bitstreamNeeds })]
      : []),
    ...(pick.kind === "physical" && !choice.isVerified ? [t("unverified")] : []),
  ].join(" · ");
}

/** What is to be said of a board for the model and options that are chosen. */
export function VerdictLine({
  choice: { mismatch },
  verdict,
  engine,
}: {
  choice: BoardChoice;
  verdict: BoardVerdict;
  engine: string;
}) {
  const t = useTranslations("deploy.boards.verdicts");
  const percent = (share: number, least: number) => Math.max(least, Math.round(share * 100));
  switch (verdict.kind) {
    case "built":
      return (
        <Line tone="ok">
          {verdict.seconds === null
            ? t("built")
            : t("builtWithin", { seconds: Math.max(1, Math.round(verdict.seconds)) })}
        </Line>
      );
    case "fits":
      return <Line tone="ok">{t("fits", { percent: percent(verdict.share, 1) })}</Line>;
    case "lacks":
      return (
        <Line tone="bad">
          {verdict.share === null || !Number.isFinite(verdict.share)
            ? t("lacks")
            : t("lacksBy", { percent: percent(verdict.share, 101) })}
        </Line>
      );
    case "mismatch":
      return (
        <span className="text-muted">
          {mismatch === null ? null : t(`mismatches.${mismatch}`, { engine })}{" "}
          {verdict.engine === null ? t("noEngine") : t("otherEngine", { engine: verdict.engine })}
        </span>
      );
  }
}

function Line({ tone, children }: { tone: "ok" | "bad"; children: string }) {
  return (
    <span className="flex items-baseline gap-1.5">
      <ToneIcon tone={tone} />
      <span>{children}</span>
    </span>
  );
}
