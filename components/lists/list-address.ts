import {
  type inferParserType,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useCallback } from "react";

/** Ages that a list is offered to go back to. */
export const ages = ["1h", "24h", "7d", "30d"] as const;

/** What a list's address says, in the very words of the API's query. */
export interface ListAddress {
  readonly state: readonly string[];
  readonly engine: readonly string[];
  readonly board: readonly string[];
  /** Of boards: physical, simulated, cpu. Of models: the format. */
  readonly kind: readonly string[];
  /** Of boards: names of their board servers. */
  readonly server: readonly string[];
  /** Of builds: words that people gave them. */
  readonly label: readonly string[];
  readonly search: string;
  readonly since: string;
  readonly sort: string;
  /** Where the page begins; with its number, for people. */
  readonly cursor: string;
  readonly page: number;
  /** How rows are drawn, of lists that can draw them as cards. */
  readonly view?: ListView;
}

/** How the rows of a list are drawn on a wide screen. */
export const listViews = ["cards", "table"] as const;
type ListView = (typeof listViews)[number];

/** What of an address chooses rows, with nothing chosen. */
export const noFilter = {
  state: [],
  engine: [],
  board: [],
  kind: [],
  server: [],
  label: [],
  search: "",
  since: "",
} as const;

/** The states and orders of a list, as its address may name them; the first order is the usual one. */
export const listParsers = (states: readonly string[], sorts: readonly [string, ...string[]]) => ({
  state: parseAsNativeArrayOf(parseAsStringLiteral(states)),
  engine: parseAsNativeArrayOf(parseAsString),
  board: parseAsNativeArrayOf(parseAsString),
  kind: parseAsNativeArrayOf(parseAsString),
  server: parseAsNativeArrayOf(parseAsString),
  label: parseAsNativeArrayOf(parseAsString),
  search: parseAsString.withDefault(""),
  since: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(sorts).withDefault(sorts[0]),
  cursor: parseAsString.withDefault(""),
  page: parseAsInteger.withDefault(1),
  view: parseAsStringLiteral(listViews).withDefault("cards"),
});

type Parsers = ReturnType<typeof listParsers>;
type Change = Partial<inferParserType<Parsers>>;

/** How an address is changed; whatever is changed, the list begins anew unless the change says where. */
export type ChangeAddress = (
  change: { readonly [Name in keyof Change]?: Change[Name] | readonly string[] | null },
  options?: { readonly replace?: boolean },
) => void;

/** A list's state, which is its address: what is shared, reloaded or gone back to shows the same. */
export function useListAddress(parsers: Parsers): readonly [ListAddress, ChangeAddress] {
  const [address, setAddress] = useQueryStates(parsers, { history: "push" });
  const change = useCallback<ChangeAddress>(
    (part, { replace = false } = {}) => {
      const lists = Object.entries(part).map(([name, value]) => [
        name,
        Array.isArray(value) ? [...value] : value,
      ]);
      void setAddress(
        { cursor: null, page: null, ...Object.fromEntries(lists) },
        { history: replace ? "replace" : "push" },
      );
    },
    [setAddress],
  );
  return [address, change];
}

/** The query of the API that holds what the address chooses, without its page. */
export function filterQuery({ search, since, ...address }: ListAddress): URLSearchParams {
  const query = new URLSearchParams();
  const { state, engine, board, kind, server, label } = address;
  for (const [name, values] of Object.entries({ state, engine, board, kind, server, label }))
    for (const value of values) query.append(name, value);
  if (search.trim() !== "") query.set("search", search.trim());
  if (since !== "") query.set("since", since);
  return query;
}

/** The same with its order. */
export function orderedQuery(address: ListAddress): URLSearchParams {
  const query = filterQuery(address);
  query.set("sort", address.sort);
  return query;
}

/** The query of the page that the address shows. */
export function pageQuery(address: ListAddress): URLSearchParams {
  const query = orderedQuery(address);
  query.set("limit", String(rowsPerPage));
  if (address.cursor !== "") query.set("cursor", address.cursor);
  return query;
}

/** Rows of a page. */
export const rowsPerPage = 50;

/** Whether an address leaves rows out. */
export const isFiltered = (address: ListAddress): boolean => filterQuery(address).size > 0;
