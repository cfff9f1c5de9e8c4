"use client";

import { Menu } from "@base-ui/react/menu";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Endpoint } from "@/lib/common/contract";
import { DeleteDialog } from "./delete-dialog";
import { newRevisionOf } from "./new-revision";
import { PauseDialog } from "./pause-dialog";

interface EndpointMenuProps {
  readonly endpoint: Endpoint;
  readonly form: "page" | "row";
}

/** The menu of an endpoint with the dialogs that it opens; on the endpoint's own page the pause has a button. */
export function EndpointMenu({ endpoint, form }: EndpointMenuProps) {
  const t = useTranslations("endpoints");
  const [change, setChange] = useState<"pause" | "delete" | null>(null);
  const { name, state, paused } = endpoint;
  const isEnding = state === "deleting";
  const pauseOrResume = paused ? "resume" : "pause";
  const close = () => setChange(null);
  return (
    <>
      {form === "page" ? (
        <button
          type="button"
          className="btn"
          disabled={isEnding}
          onClick={() => setChange("pause")}
        >
          {t(`${pauseOrResume}.button`)}
        </button>
      ) : null}
      <Menu.Root>
        <Menu.Trigger
          className={form === "page" ? "btn px-3" : "btn btn-quiet btn-dense"}
          disabled={isEnding}
          aria-label={t("menu.label", { name })}
        >
          <span aria-hidden="true">⋯</span>
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end" className="z-40">
            <Menu.Popup className="float min-w-52 p-1.5 text-dense">
              {form === "row" ? (
                <>
                  <Menu.LinkItem className="menu-item" render={<Link href={newRevisionOf(name)} />}>
                    {t("actions.newRevision")}
                  </Menu.LinkItem>
                  <Menu.Item className="menu-item" onClick={() => setChange("pause")}>
                    {t(`menu.${pauseOrResume}`)}
                  </Menu.Item>
                </>
              ) : null}
              <Menu.LinkItem
                className="menu-item"
                render={<Link href={`/endpoints/${name}?tab=revisions`} />}
              >
                {t("menu.rollback")}
              </Menu.LinkItem>
              <Menu.Item className="menu-item text-bad" onClick={() => setChange("delete")}>
                {t("menu.delete")}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {change === "pause" ? <PauseDialog endpoint={endpoint} onClose={close} /> : null}
      {change === "delete" ? <DeleteDialog endpoint={endpoint} onClose={close} /> : null}
    </>
  );
}
