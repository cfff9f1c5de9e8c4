import type { useTranslations } from "next-intl";
import { ages, type ListAddress } from "./list-address";

/** One filter that is on, and the address without it. */
export interface ActiveFilter {
  readonly words: string;
  readonly without: Partial<ListAddress>;
}

/** The filters that are on, in words, in the order in which the page offers them. */
export function filterWords(
  { state, engine, board, kind, server, label, search, since }: ListAddress,
  names: {
    readonly t: ReturnType<typeof useTranslations<"lists">>;
    readonly state: (state: string) => string;
    readonly board: (board: string) => string;
    readonly kind?: (kind: string) => string;
  },
): readonly ActiveFilter[] {
  const { t } = names;
  const age = ages.find((value) => value === since);
  return [
    ...(search.trim() === ""
      ? []
      : [{ words: t("filter.search", { text: search.trim() }), without: { search: "" } }]),
    ...state.map((each) => ({
      words: names.state(each),
      without: { state: state.filter((other) => other !== each) },
    })),
    ...engine.map((each) => ({
      words: t("filter.engine", { engine: each }),
      without: { engine: engine.filter((other) => other !== each) },
    })),
    ...board.map((each) => ({
      words: t("filter.board", { board: names.board(each) }),
      without: { board: board.filter((other) => other !== each) },
    })),
    ...kind.map((each) => ({
      words: names.kind?.(each) ?? t("filter.kind", { kind: each }),
      without: { kind: kind.filter((other) => other !== each) },
    })),
    ...server.map((each) => ({
      words: t("filter.server", { server: each }),
      without: { server: server.filter((other) => other !== each) },
    })),
    ...label.map((each) => ({
      words: t("filter.label", { label: each }),
      without: { label: label.filter((other) => other !== each) },
    })),
    ...(since === ""
      ? []
      : [{ words: age ? t(`ages.${age}`) : t("filter.since", { since }), without: { since: "" } }]),
  ];
}
