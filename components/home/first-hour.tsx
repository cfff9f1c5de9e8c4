"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSyncExternalStore } from "react";
import { endpointsQuery, hasSeenCycles } from "@/components/endpoints";
import { Section, ToneIcon } from "@/components/ui";
import { firstSteps } from "./first-steps";

const never = () => () => undefined;

/** What to do in the first hour; each line goes by itself, and the list with its last one. */
export function FirstHour() {
  const endpoints = useQuery(endpointsQuery());
  const seen = useSyncExternalStore(never, hasSeenCycles, () => true);
  if (!endpoints.data) return null;
  const steps = firstSteps(endpoints.data.items, seen);
  if (steps.every(({ done }) => done)) return null;
  return (
    <Section title="Your first hour">
      <ol className="grid gap-x-8 border-t border-line tablet:grid-cols-2">
        {steps.map(({ done, text, href }) => (
          <li key={text} className="flex items-baseline gap-3 border-b border-line py-2.5">
            <ToneIcon tone={done ? "ok" : "idle"} />
            {done ? (
              <span className="text-muted">
                {text}
                <span className="sr-only">, done</span>
              </span>
            ) : (
              <Link href={href}>{text}</Link>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
