"use client";

import { Menu } from "@base-ui/react/menu";
import { useTranslations } from "next-intl";

interface BoardMenuProps {
  readonly name: string;
  readonly onBlink: () => void;
  readonly onReload: () => void;
}

/** What is asked of a board more rarely. */
export function BoardMenu({ name, onBlink, onReload }: BoardMenuProps) {
  const t = useTranslations("boards.actions");
  return (
    <Menu.Root>
      <Menu.Trigger className="btn px-3" aria-label={t("more", { name })}>
        <span aria-hidden="true">⋯</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-40">
          <Menu.Popup className="float min-w-52 p-1.5 text-dense">
            <Menu.Item className="menu-item" onClick={onBlink}>
              {t("blink")}
            </Menu.Item>
            <Menu.Item className="menu-item" onClick={onReload}>
              {t("reload")}…
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
