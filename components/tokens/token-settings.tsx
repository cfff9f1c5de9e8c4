"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Loaded, Section, Skeleton } from "@/components/ui";
import { tokensQuery } from "./api";
import { NewTokenForm } from "./new-token-form";
import { TokenRows } from "./token-rows";

/** Tokens: those there are, with what they are good for, and the way to a new one. */
export function TokenSettings() {
  const t = useTranslations("tokens");
  return (
    <>
      <p className="mb-6 max-w-prose text-muted">{t("intro")}</p>
      <Section title={t("list")} id="tokens">
        <Loaded
          query={useQuery(tokensQuery())}
          loading={<Skeleton lines={3} height={48} />}
          failure={t("unreadable")}
        >
          {({ items }) =>
            items.length === 0 ? (
              <p className="max-w-prose text-muted">{t("none")}</p>
            ) : (
              <TokenRows tokens={items} />
            )
          }
        </Loaded>
      </Section>
      <Section title={t("new")} id="new">
        <NewTokenForm />
      </Section>
    </>
  );
}
