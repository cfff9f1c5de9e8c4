"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Age, StateButton, StateWhy } from "@/components/ui";
import type { Board } from "@/lib/common/contract";
import { boardChangesQuery } from "./api";
import { useBoardAppearance } from "./use-appearance";

const tabs = {
  free: null,
  leased: "access",
  programming: "",
  serving: "",
  degraded: "",
  offline: "history",
} as const satisfies Record<Board["state"], string | null>;

interface Shown {
  readonly board: Board;
  /** Why, where more is known of it than the problems of its places. */
  readonly children?: ReactNode;
}

/** The state of a board, which opens why it is in it, since when, and what to do next. */
export function BoardState({ board, children }: Shown) {
  const appearance = useBoardAppearance();
  return (
    <StateButton appearance={appearance[board.state]}>
      <Why board={board}>{children}</Why>
    </StateButton>
  );
}

/** Is drawn when the popover opens, and asks only then. */
function Why({ board, children }: Shown) {
  const t = useTranslations("boards");
  const { id, state, heartbeatAt, slots } = board;
  const changes = useQuery(boardChangesQuery(id));
  const tab = tabs[state];
  const here = `/boards/${id}`;
  return (
    <StateWhy
      since={changes.data?.items.find(({ kind }) => kind === "state")?.at}
      next={{
        href: tab === null ? "/deploy" : tab === "" ? here : `${here}?tab=${tab}`,
        label: t(`next.${state}`),
      }}
    >
      {children ??
        [...new Set(slots.flatMap(({ problem }) => problem ?? []))].map((problem) => (
          <p key={problem} className="mt-2 break-words">
            {problem}
          </p>
        ))}
      {state === "offline" ? (
        <p className="mt-2 text-muted">
          {heartbeatAt ? (
            <>
              {t("heard")} <Age time={heartbeatAt} />
            </>
          ) : (
            t("never")
          )}
        </p>
      ) : null}
    </StateWhy>
  );
}
