"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { endpointOverviewQuery, hasSeen } from "@/components/endpoints";
import { Section, ToneIcon } from "@/components/ui";
import { firstSteps } from "./first-steps";
import { useListChoice } from "./list-choice";
import { SampleCards } from "./sample-cards";

const never = () => () => undefined;

/** The steps, whether they are shown, and the way to show or hide them; null until it is known what is there. */
function useFirstHour() {
  const endpoints = useQuery(endpointOverviewQuery());
  const cycles = useSyncExternalStore(
    never,
    () => hasSeen("cycles"),
    () => true,
  );
  const code = useSyncExternalStore(
    never,
    () => hasSeen("code"),
    () => true,
  );
  const { choice, choose } = useListChoice();
  if (!endpoints.data) return null;
  const steps = firstSteps(endpoints.data.guide, { cycles, code });
  const isDone = steps.every(({ done }) => done);
  return { steps, isShown: choice === "shown" || (choice === null && !isDone), choose };
}

/** What to do in the first hour. It goes with its last step, or when somebody puts it away, and can be called back. */
export function FirstHour() {
  const t = useTranslations("home.firstHour");
  const hour = useFirstHour();
  if (!hour?.isShown) return null;
  const { steps, choose } = hour;
  return (
    <Section
      title={t("title")}
      aside={
        <button type="button" className="btn btn-quiet btn-dense" onClick={() => choose("hidden")}>
          {t("hide")}
        </button>
      }
    >
      <ol className="mb-6 grid gap-x-8 border-t border-line tablet:grid-cols-2">
        {steps.map(({ id, done, href }) => (
          <li key={id} className="flex items-baseline gap-3 border-b border-line py-2.5">
            <ToneIcon tone={done ? "ok" : "idle"} />
            {done ? (
              <span className="text-muted">
                {t(`steps.${id}`)}
                <span className="sr-only">, {t("done")}</span>
              </span>
            ) : (
              <Link href={href}>{t(`steps.${id}`)}</Link>
            )}
          </li>
        ))}
      </ol>
      <SampleCards />
    </Section>
  );
}

/** Calls the list back that was put away, or that is done. */
export function FirstHourLink() {
  const t = useTranslations("home.firstHour");
  const hour = useFirstHour();
  if (!hour || hour.isShown) return null;
  return (
    <button
      type="button"
      className="min-h-6 text-dense text-accent hover:underline"
      onClick={() => {
        hour.choose("shown");
        window.scrollTo({ top: 0 });
      }}
    >
      {t("show")}
    </button>
  );
}
