"use client";

import { Popover } from "@base-ui/react/popover";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { ListMemory, SavedView } from "./list-memory";

export interface ListMenusProps {
  /** Views that every browser has. */
  readonly views: readonly SavedView[];
  /** The present filter and order, to be saved or exported. */
  readonly query: string;
  /** Where the list is read: `/api/v1/builds`. */
  readonly api: string;
  readonly columns: readonly {
    readonly id: string;
    readonly label: string;
    readonly shown: boolean;
  }[];
  readonly memory: ListMemory;
  readonly onRemember: (change: Partial<ListMemory>) => void;
}

/** What floats above a list: its views, its columns and its export. */
export function ListMenus(props: ListMenusProps) {
  const t = useTranslations("lists");
  return (
    <>
      <Menu label={t("views")}>
        <Views {...props} />
      </Menu>
      <Menu label={t("columns")}>
        <Columns {...props} />
      </Menu>
      <Menu label={t("export")}>
        <Export {...props} />
      </Menu>
    </>
  );
}

function Menu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Popover.Root>
      <Popover.Trigger className="btn btn-quiet btn-dense">
        {label}
        <span aria-hidden="true">▾</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="end" className="z-40">
          <Popover.Popup className="float w-[min(300px,calc(100vw-32px))] p-4 text-dense">
            <Popover.Title className="mb-2 text-body font-strong">{label}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Views({ views, query, memory, onRemember }: ListMenusProps) {
  const t = useTranslations("lists");
  const path = usePathname();
  const [name, setName] = useState("");
  const without = (gone: string) => memory.views.filter((view) => view.name !== gone);
  const link = (view: SavedView) => (
    <Popover.Close
      nativeButton={false}
      // Closes the menu as a button does, and is a link all the same.
      render={
        <Link role="link" className="min-w-0 flex-1 truncate py-1" href={`${path}?${view.query}`} />
      }
    >
      {view.name}
    </Popover.Close>
  );
  return (
    <>
      <ul>
        {views.map((view) => (
          <li key={view.name} className="flex">
            {link(view)}
          </li>
        ))}
        {memory.views.map((view) => (
          <li key={`own ${view.name}`} className="flex items-center gap-2">
            {link(view)}
            <button
              type="button"
              className="btn btn-quiet btn-dense"
              aria-label={t("forgetView", { name: view.name })}
              onClick={() => onRemember({ views: without(view.name) })}
            >
              {t("forget")}
            </button>
          </li>
        ))}
      </ul>
      <form
        className="mt-3 flex gap-2 border-t border-line pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          const called = name.trim();
          if (called === "") return;
          onRemember({ views: [...without(called), { name: called, query }] });
          setName("");
        }}
      >
        <input
          aria-label={t("viewName")}
          placeholder={t("viewPlaceholder")}
          maxLength={60}
          className="field h-8 min-w-0 text-dense"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="btn btn-dense">
          {t("save")}
        </button>
      </form>
      <p className="mt-2 text-label text-muted">{t("kept")}</p>
    </>
  );
}

function Columns({ columns, memory, onRemember }: ListMenusProps) {
  const t = useTranslations("lists");
  return (
    <>
      {columns.map(({ id, label, shown }) => (
        <Switch
          key={id}
          label={label}
          on={shown}
          onSwitch={(on) => onRemember({ columns: { ...memory.columns, [id]: on } })}
        />
      ))}
      <div className="mt-2 border-t border-line pt-2">
        <Switch label={t("dense")} on={memory.dense} onSwitch={(dense) => onRemember({ dense })} />
      </div>
    </>
  );
}

function Switch({
  label,
  on,
  onSwitch,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
}) {
  return (
    <label className="flex min-h-7 items-center gap-2">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={on}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      {label}
    </label>
  );
}

function Export({ api, query }: ListMenusProps) {
  const t = useTranslations("lists");
  return (
    <>
      <p className="mb-3 text-muted">{t("exportText")}</p>
      <div className="flex gap-2">
        {["csv", "json"].map((format) => (
          <a
            key={format}
            className="btn btn-dense"
            href={`${api}?${query}&format=${format}`}
            download
          >
            {format.toUpperCase()}
          </a>
        ))}
      </div>
    </>
  );
}
