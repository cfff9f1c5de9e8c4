"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import type { ActiveFilter } from "./filter-words";
import { ages, type ChangeAddress, type ListAddress, noFilter } from "./list-address";
import { SearchBox } from "./search-box";

/** A value to filter by, and what people call it. */
interface Option {
  readonly value: string;
  readonly label: string;
}

const filterParts = ["engine", "kind", "board", "server", "label"] as const;

/** What a list may be filtered by, beside its states, a text and an age. */
export type FilterPart = (typeof filterParts)[number];

/** Search, age, and what else there is to filter a list by, and beside them whatever menus it has. */
export function FilterBar({
  address,
  onChange,
  placeholder,
  noun,
  hasAge,
  choices,
  children,
}: {
  readonly address: ListAddress;
  readonly onChange: ChangeAddress;
  readonly placeholder: string;
  /** `build`, in the singular. */
  readonly noun: string;
  readonly hasAge: boolean;
  /** Values to filter by, of each part that the list has. */
  readonly choices: Partial<Readonly<Record<FilterPart, readonly Option[]>>>;
  readonly children?: ReactNode;
}) {
  const t = useTranslations("lists");
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <SearchBox
        text={address.search}
        placeholder={placeholder}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      {hasAge ? (
        <Choice
          label={t("age")}
          none={t("anyTime")}
          options={ages.map((value) => ({ value, label: t(`ages.${value}`) }))}
          chosen={address.since === "" ? [] : [address.since]}
          onChoose={([since = ""]) => onChange({ since })}
        />
      ) : null}
      {filterParts.map((part) => {
        const options = choices[part];
        return options ? (
          <Choice
            key={part}
            label={t(part, { noun })}
            none={t(`any.${part}`, { noun })}
            options={options}
            chosen={address[part]}
            onChoose={(values) => onChange({ [part]: values })}
          />
        ) : null;
      })}
      <div className="flex flex-wrap gap-1 tablet:ml-auto">{children}</div>
    </search>
  );
}

/** One of some values, or any; several that an address names are shown as such and can be given up. */
function Choice({
  label,
  none,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly none: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChoose: (values: readonly string[]) => void;
}) {
  const id = useId();
  const several = chosen.join(", ");
  const known = options.some(({ value }) => value === several);
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        className="field h-8 w-auto max-w-44 text-dense max-tablet:max-w-none max-tablet:flex-1"
        value={several}
        onChange={({ target }) => onChoose(target.value === "" ? [] : [target.value])}
      >
        <option value="">{none}</option>
        {several === "" || known ? null : <option value={several}>{several}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </>
  );
}

/** The filters that are on, each to be taken away; nothing where none is. */
export function ActiveFilters({
  active,
  onChange,
}: {
  readonly active: readonly ActiveFilter[];
  readonly onChange: ChangeAddress;
}) {
  const t = useTranslations("lists");
  if (active.length === 0) return null;
  return (
    <ul aria-label={t("filters")} className="mb-3 flex flex-wrap gap-2 text-dense">
      {active.map(({ words, without }) => (
        <li key={words}>
          <button
            type="button"
            className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-full bg-sunken px-3 hover:bg-wash"
            onClick={() => onChange(without)}
          >
            <span className="truncate">{words}</span>
            <span aria-hidden="true">×</span>
            <span className="sr-only">{t("remove")}</span>
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="h-6 px-1 text-accent hover:underline"
          onClick={() => onChange(noFilter)}
        >
          {t("clear")}
        </button>
      </li>
    </ul>
  );
}
