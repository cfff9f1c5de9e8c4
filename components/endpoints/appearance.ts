import { useTranslations } from "next-intl";
import { type Appearance, useAppearances } from "@/components/ui";
import type { EndpointState, Revision } from "@/lib/common/contract";

const endpointTones = {
  building: "run",
  loading: "run",
  testing: "run",
  ready: "ok",
  degraded: "warn",
  asleep: "info",
  paused: "info",
  deleting: "info",
  failed: "bad",
} as const satisfies Record<EndpointState, Appearance["tone"]>;

/** One that is built and does not serve yet is loaded, which is no state of its own. */
const revisionTones = {
  building: "run",
  loading: "run",
  ready: "ok",
  failed: "bad",
  retired: "info",
} as const satisfies Record<Revision["state"] | "loading", Appearance["tone"]>;

/** How each state of an endpoint looks, in the reader's language. */
export function useEndpointAppearance(): Readonly<Record<EndpointState, Appearance>> {
  return useAppearances(endpointTones, useTranslations("endpoints.states"));
}

/** How a revision looks, in the reader's language. */
export function useRevisionAppearance(): (
  revision: Pick<Revision, "state" | "artifactDigest">,
) => Appearance {
  const t = useTranslations("endpoints.revisionStates");
  return ({ state, artifactDigest }) => {
    const shown = state === "building" && artifactDigest !== null ? "loading" : state;
    return { tone: revisionTones[shown], label: t(`${shown}.label`), why: t(`${shown}.why`) };
  };
}
