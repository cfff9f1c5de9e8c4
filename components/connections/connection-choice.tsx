"use client";

import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { projectConnectionsQuery } from "./api";

interface ConnectionChoiceProps {
  /** What stands in the field. */
  readonly address: string;
  /** Id of the field, which has the focus once something was chosen. */
  readonly field: string;
  readonly onChoose: (prefix: string) => void;
}

/** Through which connection an address is read, and a menu of what addresses can begin with. */
export function ConnectionChoice({ address, field, onChoose }: ConnectionChoiceProps) {
  const t = useTranslations("connections.choice");
  const { data } = useQuery(projectConnectionsQuery());
  const choices = [
    ...(data?.items ?? []).flatMap((each) => ("kind" in each ? [each] : [])),
    ...(data?.shared ?? []),
  ].flatMap(({ name, kind, prefixes }) => prefixes.map((prefix) => ({ name, kind, prefix })));
  const used = choices.find(({ prefix }) => address.startsWith(prefix));
  if (choices.length === 0) return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-dense">
      <Menu.Root>
        <Menu.Trigger className="btn btn-dense">{t("open")}</Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="start" className="z-40">
            <Menu.Popup
              className="float max-h-[60vh] max-w-[calc(100vw-24px)] min-w-52 overflow-y-auto p-1.5 text-dense"
              finalFocus={() => document.getElementById(field)}
            >
              {choices.map(({ name, prefix }) => (
                <Menu.Item
                  key={prefix}
                  className="menu-item gap-3"
                  onClick={() => onChoose(prefix)}
                >
                  <code className="break-all">{prefix}…</code>
                  <span className="ml-auto text-muted">{name}</span>
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <p className="min-w-0 break-words text-muted" role="status">
        {used === undefined
          ? t("known", { addresses: choices.map(({ prefix }) => `${prefix}…`).join(", ") })
          : t.rich("used", { name: used.name, b: (inner) => <b>{inner}</b> })}
      </p>
    </div>
  );
}
