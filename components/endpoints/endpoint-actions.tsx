"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ComponentType, useEffect, useState } from "react";
import { afterLoad } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import type { EndpointMenuProps } from "./endpoint-menu";
import { newRevisionOf } from "./new-revision";

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
  const [Menu, setMenu] = useState<ComponentType<EndpointMenuProps> | null>(null);
  useEffect(() => {
    afterLoad(() => import("./endpoint-menu")).then(
      ({ EndpointMenu }) => setMenu(() => EndpointMenu),
      () => undefined,
    );
  }, []);
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
