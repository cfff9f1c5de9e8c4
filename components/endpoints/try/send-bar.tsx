"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { type Endpoint, type PredictProtocol, predictProtocolSchema } from "@/lib/common/contract";
import { revisionsQuery } from "../api";
import type { Target } from "../request/predict";

/** Sends the request, or stops it; which revision is asked, and over which protocol. */
export function SendBar({
  endpoint,
  target,
  onTarget,
  sending,
  onSend,
  onStop,
}: {
  endpoint: Endpoint;
  target: Target;
  onTarget: (target: Target) => void;
  sending: boolean;
  onSend: () => void;
  onStop: () => void;
}) {
  const t = useTranslations("predictions");
  const id = useId();
  const revisions = useQuery(revisionsQuery(endpoint.name)).data?.items ?? [];
  const offered = revisions.filter(
    ({ artifactDigest, state }) => artifactDigest !== null && state !== "failed",
  );
  return (
    <div className="mt-4 flex flex-wrap items-end gap-x-3 gap-y-3">
      {sending ? (
        <button type="button" className="btn" onClick={onStop}>
          {t("stop")}
        </button>
      ) : (
        <button type="button" className="btn btn-primary" onClick={onSend}>
          {t("send")} <kbd>Ctrl ↵</kbd>
        </button>
      )}
      <label htmlFor={`${id}-protocol`} className="min-w-0 text-dense">
        <span className="label block">{t("protocol")}</span>
        <select
          id={`${id}-protocol`}
          className="field h-9 px-2"
          value={target.protocol}
          onChange={(event) => {
            const protocol: PredictProtocol = predictProtocolSchema.parse(event.target.value);
            onTarget({ ...target, protocol });
          }}
        >
          {predictProtocolSchema.options.map((protocol) => (
            <option key={protocol} value={protocol}>
              {t(`protocols.${protocol}`)}
            </option>
          ))}
        </select>
      </label>
      <label htmlFor={`${id}-revision`} className="min-w-0 text-dense">
        <span className="label block">{t("revision")}</span>
        <select
          id={`${id}-revision`}
          className="field h-9 max-w-full px-2"
          value={target.revision ?? ""}
          onChange={(event) =>
            onTarget({
              ...target,
              revision: event.target.value === "" ? null : Number(event.target.value),
            })
          }
        >
          <option value="">{t("routeDecides", { revision: endpoint.revision })}</option>
          {offered.map(({ ordinal }) => (
            <option key={ordinal} value={ordinal}>
              {t(ordinal === endpoint.revision ? "revisionServes" : "revisionOther", {
                revision: ordinal,
              })}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
