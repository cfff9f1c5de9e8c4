import { ages, type ListAddress } from "./list-address";

/** One filter that is on, and the address without it. */
export interface ActiveFilter {
  readonly words: string;
  readonly without: Partial<ListAddress>;
}

/** The filters that are on, in words, in the order in which the page offers them. */
export function filterWords(
  { state, engine, board, search, since }: ListAddress,
  names: {
    readonly state: (state: string) => string;
    readonly board: (board: string) => string;
  },
): readonly ActiveFilter[] {
  const age = ages.find(({ value }) => value === since)?.label ?? `since ${since}`;
  return [
    ...(search.trim() === ""
      ? []
      : [{ words: `text “${search.trim()}”`, without: { search: "" } }]),
    ...state.map((each) => ({
      words: names.state(each),
      without: { state: state.filter((other) => other !== each) },
    })),
    ...engine.map((each) => ({
      words: `engine ${each}`,
      without: { engine: engine.filter((other) => other !== each) },
    })),
    ...board.map((each) => ({
      words: `board ${names.board(each)}`,
      without: { board: board.filter((other) => other !== each) },
    })),
    ...(since === "" ? [] : [{ words: age, without: { since: "" } }]),
  ];
}
