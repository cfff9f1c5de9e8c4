"use client";

import { keepPreviousData, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import { useBoardTitles } from "@/components/boards";
import { type Appearance, afterLoad, Loaded, Skeleton } from "@/components/ui";
import type { ListColumn } from "./columns";
import { ActiveFilters, FilterBar, type FilterPart } from "./filter-bar";
import { filterWords } from "./filter-words";
import {
  filterQuery,
  isFiltered,
  type ListAddress,
  listParsers,
  orderedQuery,
  pageQuery,
  useListAddress,
} from "./list-address";
import { ListCards } from "./list-cards";
import { type SavedView, useListMemory } from "./list-memory";
import { ListTable, shownColumns } from "./list-table";
import { NothingMatches } from "./nothing-matches";
import { Pager } from "./pager";
import { type Selection, useSelection } from "./selection";
import { SortChoice } from "./sort-choice";
import { StateCounters } from "./state-counters";
import { ViewSwitch } from "./view-switch";

const ListMenus = dynamic(
  () => afterLoad(() => import("./list-menus")).then((module) => module.ListMenus),
  {
    ssr: false,
  },
);

interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
  previousCursor?: string | null | undefined;
}

interface Counts<State> {
  states: { state: State; count: number }[];
  /** Left out: it cannot be filtered by them. */
  engines?: string[];
  boards: string[];
  kinds?: string[] | undefined;
  servers?: string[] | undefined;
  labels?: string[] | undefined;
}

/** What makes a list of one noun: where it is read, what its rows are, and what can be done to them. */
export interface ListPageProps<
  Row extends object,
  State extends string,
  Found extends Counts<State>,
> {
  /** `build`, in the singular. */
  readonly noun: string;
  /** Where it is read: `/api/v1/builds`. */
  readonly api: string;
  readonly states: readonly State[];
  /** The first is the usual one. */
  readonly sorts: readonly [string, ...string[]];
  readonly appearance: Readonly<Record<State, Appearance>>;
  readonly pageOf: (query: string) => UseQueryOptions<Page<Row>, Error, Page<Row>, string[]>;
  readonly countsOf: (query: string) => UseQueryOptions<Found, Error, Found, string[]>;
  readonly columns: readonly ListColumn<Row>[];
  /** Whether its rows can be filtered by their age; they can where nothing is said. */
  readonly hasAge?: boolean;
  /** What a kind is called. */
  readonly kindName?: (kind: string) => string;
  /** A row as a card; left out: it is drawn as a table alone. */
  readonly card?: (row: Row) => ReactNode;
  readonly idOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  readonly placeholder: string;
  /** What it is filtered by beside states, text and age; engines and boards if nothing is said. */
  readonly filters?: readonly FilterPart[];
  readonly views: readonly SavedView[];
  /** In the place of a list that never held anything. */
  readonly first: ReactNode;
  /** What can be done to the rows that are marked. */
  readonly bulk: (selection: Selection<Row>) => ReactNode;
}

/** A list in which everything is found: counted, filtered, sorted, paged, marked and exported; its state is its address. */
export function ListPage<Row extends object, State extends string, Found extends Counts<State>>(
  props: ListPageProps<Row, State, Found>,
) {
  const t = useTranslations("lists");
  const { noun, states, sorts, appearance, idOf } = props;
  const parsers = useMemo(() => listParsers(states, sorts), [states, sorts]);
  const [address, change] = useListAddress(parsers);
  const counts = useQuery<Found, Error, Found, string[]>({
    ...props.countsOf(String(filterQuery({ ...address, state: [] }))),
    placeholderData: keepPreviousData,
  });
  const page = useQuery({
    ...props.pageOf(String(pageQuery(address))),
    placeholderData: keepPreviousData,
  });
  const shown = page.data?.items ?? none;
  const selection = useSelection<Row>(idOf, shown as readonly Row[]);
  const list = { ...props, address, change, selection, counts: counts.data };
  return (
    <>
      <StateCounters
        states={states}
        counts={counts.data?.states}
        appearance={appearance}
        chosen={address.state}
        onChoose={(state) => change({ state })}
      />
      <Tools {...list} />
      <div
        aria-busy={page.isPlaceholderData}
        className={page.isPlaceholderData ? "opacity-60" : ""}
      >
        <Loaded
          query={page}
          loading={<Skeleton lines={12} height={28} />}
          failure={t("unreadable", { noun })}
        >
          {(data) => <Rows {...list} page={data} isLoading={page.isPlaceholderData} />}
        </Loaded>
      </div>
      {props.bulk(selection)}
    </>
  );
}

const none: readonly never[] = [];
const usualFilters: readonly FilterPart[] = ["engine", "board"];

type ListParts<Row extends object, State extends string> = Omit<
  ListPageProps<Row, State, Counts<State>>,
  "countsOf"
> & {
  readonly address: ListAddress;
  readonly change: ReturnType<typeof useListAddress>[1];
  readonly selection: Selection<Row>;
  readonly counts: Counts<State> | undefined;
};

/** The filters that are on, in words. */
function useActive<Row extends object, State extends string>({
  address,
  states,
  appearance,
  kindName,
}: ListParts<Row, State>) {
  const t = useTranslations("lists");
  const titleOf = useBoardTitles();
  return filterWords(address, {
    t,
    ...(kindName ? { kind: kindName } : {}),
    state: (text) => {
      const state = states.find((each) => each === text);
      return state ? appearance[state].label : text;
    },
    board: (board) => titleOf(board, ""),
  });
}

function Tools<Row extends object, State extends string>(list: ListParts<Row, State>) {
  const { noun, address, change, counts, columns, views, api, kindName } = list;
  const { filters = usualFilters } = list;
  const [memory, remember] = useListMemory(`${noun}s`);
  const titleOf = useBoardTitles();
  const visible = shownColumns(columns, memory);
  const optionsOf = (part: FilterPart) =>
    (counts?.[`${part}s`] ?? []).map((value) => ({
      value,
      label:
        part === "board"
          ? titleOf(value, "")
          : part === "kind"
            ? (kindName?.(value) ?? value)
            : value,
    }));
  return (
    <>
      <FilterBar
        address={address}
        onChange={change}
        placeholder={list.placeholder}
        noun={noun}
        hasAge={list.hasAge ?? true}
        choices={Object.fromEntries(
          filters
            // Labels are offered once a row has one.
            .filter((part) => part !== "label" || counts?.labels?.length || address.label.length)
            .map((part) => [part, optionsOf(part)]),
        )}
      >
        {list.card ? (
          <ViewSwitch view={address.view ?? "cards"} onView={(view) => change({ view })} />
        ) : null}
        <ListMenus
          views={views}
          query={String(orderedQuery(address))}
          api={api}
          columns={columns
            .filter(({ enableHiding }) => enableHiding !== false)
            .map(({ id, meta }) => ({ id, label: meta.label, shown: visible[id] ?? true }))}
          memory={memory}
          onRemember={remember}
        />
      </FilterBar>
      <ActiveFilters active={useActive(list)} onChange={change} />
    </>
  );
}

function Rows<Row extends object, State extends string>(
  list: ListParts<Row, State> & { readonly page: Page<Row>; readonly isLoading: boolean },
) {
  const t = useTranslations("lists");
  const { noun, address, change, counts, columns, page, first } = list;
  const [memory] = useListMemory(`${noun}s`);
  const active = useActive(list);
  if (page.items.length === 0 && address.cursor === "")
    return isFiltered(address) ? (
      <NothingMatches what={noun} active={active} onChange={change} />
    ) : (
      first
    );
  const total = counts?.states
    .filter(({ state }) => address.state.length === 0 || address.state.includes(state))
    .reduce((sum, { count }) => sum + count, 0);
  const onSort = (sort: string) => change({ sort });
  return (
    <>
      <SortChoice
        columns={columns}
        sort={address.sort}
        onSort={onSort}
        isAlone={list.card !== undefined && address.view !== "table"}
      />
      {list.card && address.view !== "table" ? (
        <ListCards
          caption={t("caption", { noun })}
          rows={page.items}
          idOf={list.idOf}
          nameOf={list.nameOf}
          card={list.card}
          selection={list.selection}
        />
      ) : (
        <ListTable
          caption={t("caption", { noun })}
          columns={columns}
          rows={page.items}
          idOf={list.idOf}
          nameOf={list.nameOf}
          sort={address.sort}
          onSort={onSort}
          memory={memory}
          selection={list.selection}
        />
      )}
      <Pager
        address={address}
        shown={page.items.length}
        total={total}
        nextCursor={page.nextCursor}
        previousCursor={page.previousCursor ?? null}
        isLoading={list.isLoading}
        onChange={change}
      />
    </>
  );
}
