"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Skeleton } from "@/components/ui";
import type { Lease } from "@/lib/common/contract";

const TryBoard = dynamic(() => import("./try-board").then((module) => module.TryBoard), {
  ssr: false,
  loading: () => <Skeleton lines={3} />,
});
const LeaseConsole = dynamic(
  () => import("./lease-console").then((module) => module.LeaseConsole),
  {
    ssr: false,
    loading: () => <Skeleton lines={4} />,
  },
);

/** What its holder can do with what is loaded: send it rows, and see the board's serial line. The latter stays to the end. */
export function SpeakWithBoard({ lease }: { lease: Lease | null }) {
  const t = useTranslations("leases.speak");
  const id = useId();
  const [isTrying, setTrying] = useState(false);
  /** The lease whose line is looked at: it may be over. */
  const [line, setLine] = useState<Pick<Lease, "id" | "boardName"> | null>(null);
  const firmware = lease?.firmware?.state === "serving" ? lease.firmware : null;
  if (!firmware && !line) return null;
  const shown = line?.id ? line : null;
  return (
    <div className="mt-3 grid gap-3">
      <div className="flex flex-wrap gap-2">
        {firmware ? (
          <button
            type="button"
            className="btn btn-dense"
            aria-expanded={isTrying}
            aria-controls={`${id}-try`}
            onClick={() => setTrying(!isTrying)}
          >
            {t("try")}
          </button>
        ) : null}
        <button
          type="button"
          className="btn btn-dense"
          aria-expanded={shown !== null}
          aria-controls={`${id}-console`}
          onClick={() => setLine(line ? null : lease)}
        >
          {t("console")}
        </button>
      </div>
      {firmware && isTrying && lease?.id ? (
        <section id={`${id}-try`} aria-label={t("try")}>
          <TryBoard
            key={firmware.artifactDigest}
            leaseId={lease.id}
            digest={firmware.artifactDigest}
          />
        </section>
      ) : null}
      {shown?.id ? (
        <section id={`${id}-console`} aria-label={t("console")}>
          <LeaseConsole key={shown.id} leaseId={shown.id} boardName={shown.boardName} />
        </section>
      ) : null}
    </div>
  );
}
