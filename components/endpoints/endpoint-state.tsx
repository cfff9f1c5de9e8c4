"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { StateButton, StateWhy } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { useEndpointAppearance } from "./appearance";
import { endpointLogQuery } from "./traffic/api";

type Shown = Pick<Endpoint, "name" | "state"> &
  Partial<Pick<Endpoint, "reason" | "problem" | "buildId">>;

/** The state of an endpoint, which opens why it is in it, since when, and what to do next. */
export function EndpointState({ endpoint }: { endpoint: Shown }) {
  const appearance = useEndpointAppearance();
  return (
    <StateButton appearance={appearance[endpoint.state]}>
      <Why endpoint={endpoint} />
    </StateButton>
  );
}

/** Is drawn when the popover opens, and asks only then. */
function Why({ endpoint }: { endpoint: Shown }) {
  const t = useTranslations("endpoints.next");
  const { name, state, reason, problem } = endpoint;
  const since = useQuery(endpointLogQuery(name, "kind=state&limit=1")).data?.items[0]?.at;
  return (
    <StateWhy
      since={since}
      next={state === "deleting" ? null : { href: placeOf(endpoint), label: t(state) }}
    >
      {reason ? <p className="mt-2 break-words">{reason}</p> : null}
      {problem?.hint ? <p className="mt-1 break-words text-muted">{problem.hint}</p> : null}
    </StateWhy>
  );
}

/** Where the next step of a state is taken. */
function placeOf({ name, state, buildId }: Shown): string {
  if ((state === "building" || state === "failed") && buildId) return `/builds/${buildId}`;
  const isLogged = state === "loading" || state === "testing" || state === "degraded";
  return `/endpoints/${name}${isLogged || state === "failed" ? "?tab=logs" : ""}`;
}
