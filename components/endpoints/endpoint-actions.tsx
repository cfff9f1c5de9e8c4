"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useAfterLoad } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { newRevisionOf } from "./new-revision";

const load = async () => (await import("./endpoint-menu")).EndpointMenu;

interface EndpointActionsProps {
  readonly endpoint: Endpoint;
  /** `row`: all of it behind one button, for lists; else what is used most stands open. */
  readonly form?: "page" | "row";
}

/**
 * What can be done with an endpoint: another revision, a pause, an earlier revision, an end. The menu and its dialogs are
 * loaded after the page.
 */
export function EndpointActions({ endpoint, form = "page" }: EndpointActionsProps) {
  const t = useTranslations("endpoints.actions");
  const Menu = useAfterLoad(load);
  return (
    <div className={form === "page" ? "flex flex-wrap gap-2" : "flex justify-end"}>
      {form === "page" ? (
        <Link className="btn" href={newRevisionOf(endpoint.name)}>
          {t("newRevision")}
        </Link>
      ) : null}
      {Menu ? <Menu endpoint={endpoint} form={form} /> : null}
    </div>
  );
}
