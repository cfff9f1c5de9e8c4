"use client";

import { useTranslations } from "next-intl";
import { useWhen } from "@/components/ui";
import type { LeaseList } from "@/lib/common/contract";

/** Boards that went on to somebody else, since nothing was done with them. */
export function PassedOn({ passedOn }: Pick<LeaseList, "passedOn">) {
  const t = useTranslations("leases");
  const when = useWhen();
  return passedOn.length === 0 ? null : (
    <ul role="status" className="mb-3 text-warn">
      {passedOn.map(({ boardId, boardName, at }) => (
        <li key={`${boardId} ${at}`} className="break-words">
          {t("passedOn", { board: boardName, time: when(at) })}
        </li>
      ))}
    </ul>
  );
}
