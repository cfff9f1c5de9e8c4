"use client";

import { useQueries } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { boardsQuery } from "@/components/boards";
import { buildOverviewQuery } from "@/components/builds";
import { endpointOverviewQuery, useEndpointAppearance } from "@/components/endpoints";
import { Section, ToneIcon } from "@/components/ui";
import { attentionOf } from "./attention";

const shown = 5;

/** What does not go on without a person; nothing where all is well. */
export function NeedsYou() {
  const t = useTranslations("home");
  const [endpoints, boards, builds] = useQueries({
    queries: [endpointOverviewQuery(), boardsQuery(), buildOverviewQuery()],
  });
  const attention = useTranslations("home.attention");
  const appearance = useEndpointAppearance();
  const waiting = attentionOf(
    {
      endpoints: endpoints.data?.trouble ?? [],
      boards: boards.data?.items ?? [],
      failures: builds.data?.failures ?? [],
    },
    attention,
    (state) => appearance[state].label,
  );
  if (waiting.length === 0) return null;
  const { inTrouble = 0, trouble = [] } = endpoints.data ?? {};
  const more = waiting.length - shown + inTrouble - trouble.length;
  return (
    <Section id="needs-you" title={t("needsYou")}>
      <ul className="border-t border-line">
        {waiting.slice(0, shown).map((item) => (
          <li
            key={item.key}
            className="flex flex-wrap items-baseline gap-x-3 border-b border-line py-2.5"
          >
            <ToneIcon tone={item.tone} />
            <span className="line-clamp-2 min-w-0 flex-1 basis-64 break-words">
              <b>{item.subject}</b> <span>{item.text}</span>
            </span>
            <Link
              href={item.href}
              aria-label={attention("actionOn", { action: item.action, subject: item.subject })}
            >
              {item.action}
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="mt-2 text-dense text-muted">{t("more", { count: more })}</p> : null}
    </Section>
  );
}
