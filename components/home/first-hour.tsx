"use client";

import { useQueries } from "@tanstack/react-query";
import Link from "next/link";
import { useSyncExternalStore } from "react";
import { buildsQuery } from "@/components/builds";
import { endpointsQuery, hasPredicted } from "@/components/endpoints";
import { Section, ToneIcon } from "@/components/ui";

const never = () => () => undefined;

/** What to do in the first hour; each line goes by itself, and the list with its last one. */
export function FirstHour() {
  const [endpoints, builds] = useQueries({ queries: [endpointsQuery(), buildsQuery()] });
  const predicted = useSyncExternalStore(never, hasPredicted, () => true);
  if (!endpoints.data || !builds.data) return null;
  const { items } = endpoints.data;
  const ready = items.find(({ state }) => state === "ready");
  const steps = [
    {
      done: items.length > 0,
      text: "Deploy a sample model on a simulated board",
      href: "/deploy?sample=digits-mlp",
    },
    {
      done: builds.data.items.some(({ state }) => state === "succeeded"),
      text: "Watch a build until its design is proven",
      href: builds.data.items[0] ? `/builds/${builds.data.items[0].id}` : "/builds",
    },
    {
      done: predicted,
      text: "Send a prediction and see it down to clock cycles",
      href: ready ? `/endpoints/${ready.name}` : "/endpoints",
    },
    {
      done: new Set(items.map(({ boardKind }) => boardKind)).size > 1,
      text: "Serve the same model from the CPU and compare",
      href: "/deploy?sample=digits-mlp&engine=onnx",
    },
  ];
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
