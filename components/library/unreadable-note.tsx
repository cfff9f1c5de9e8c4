"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { formatBytes, ToneIcon } from "@/components/ui";
import type { ModelDetail } from "@/lib/common/contract";

const detailsSchema = z
  .object({
    bytesRead: z.number(),
    firstBytes: z.string(),
    formatGuess: z.string(),
    expected: z.string(),
  })
  .partial();

type Problem = NonNullable<ModelDetail["problem"]>;

/** Why a file could not be read: how much of it was, what it looks like, and what was expected. */
export function UnreadableNote({ problem }: { problem: Problem }) {
  const t = useTranslations("library.unreadable");
  const details = detailsSchema.safeParse(problem.details ?? {}).data ?? {};
  const { bytesRead, firstBytes, formatGuess, expected } = details;
  const facts = [
    bytesRead === undefined ? null : ([t("bytesRead"), formatBytes(bytesRead)] as const),
    firstBytes ? ([t("begins"), <code key="b">{bytesInWords(firstBytes)}</code>] as const) : null,
    formatGuess ? ([t("guess"), formatGuess] as const) : null,
    expected ? ([t("expected"), expected] as const) : null,
  ].filter((fact) => fact !== null);
  return (
    <div role="alert" className="mb-8 max-w-[68ch] border-l-2 border-bad py-1 pl-4">
      <p className="flex items-baseline gap-2 font-strong">
        <ToneIcon tone="bad" />
        {t("title")}
      </p>
      <p className="mt-1 break-words">{problem.message}</p>
      {problem.hint ? <p className="mt-1 text-muted">{problem.hint}</p> : null}
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-dense">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** `08 07 12 …`, in pairs. */
const bytesInWords = (hex: string): string => hex.match(/../g)?.join(" ") ?? hex;
