"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { notificationsQuery } from "@/components/notifications";
import { ErrorNote } from "@/components/ui";
import type { Build, NewBuildNotice } from "@/lib/common/contract";
import { buildNoticesQuery, setBuildNotice } from "./api";

/** Receivers of e-mail and webhooks that can be told of the end of this one build; nothing where none is set up. */
export function NoticeReceivers({ build: { id } }: { readonly build: Build }) {
  const t = useTranslations("builds.notify");
  const client = useQueryClient();
  const settings = useQuery(notificationsQuery());
  const notices = useQuery(buildNoticesQuery(id));
  const change = useMutation({
    mutationFn: (notice: NewBuildNotice) => setBuildNotice(id, notice),
    onSettled: () => client.invalidateQueries({ queryKey: buildNoticesQuery(id).queryKey }),
  });
  const receivers = [
    ...(settings.data?.recipients ?? []),
    ...(settings.data?.webhooks ?? []).map(({ url, ...webhook }) => ({ ...webhook, address: url })),
  ];
  if (!notices.data || receivers.length === 0) return null;
  const told = new Set(notices.data.receivers);
  return (
    <details className="max-w-64 text-dense">
      <summary>{t("receivers", { count: told.size })}</summary>
      <fieldset className="border-0 p-0" disabled={change.isPending}>
        <legend className="text-label text-muted">{t("receiversAbout")}</legend>
        {receivers.map(({ id: receiver, address }) => (
          <label key={receiver} className="flex min-h-7 items-center gap-2">
            <input
              type="checkbox"
              className="size-4 flex-none accent-accent"
              checked={told.has(receiver)}
              onChange={({ target }) => change.mutate({ receiver, told: target.checked })}
            />
            <bdi className="min-w-0 break-all">{address}</bdi>
          </label>
        ))}
      </fieldset>
      {change.isError ? <ErrorNote title={t("notSet")} error={change.error} /> : null}
    </details>
  );
}
