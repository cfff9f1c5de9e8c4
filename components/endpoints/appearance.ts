import type { Appearance } from "@/components/ui";
import type { EndpointState, Revision, RevisionState } from "@/lib/common/contract";

/** How each state of an endpoint looks, and what it means in a sentence. */
export const endpointAppearance = {
  building: { tone: "run", label: "building", why: "Its artifact is being built." },
  loading: { tone: "run", label: "loading", why: "A board loads the artifact." },
  testing: { tone: "run", label: "testing", why: "The board answers the test vectors." },
  ready: {
    tone: "ok",
    label: "ready",
    why: "The board answered every test vector; requests are served.",
  },
  degraded: { tone: "warn", label: "degraded", why: "A board that should answer is silent." },
  asleep: {
    tone: "info",
    label: "asleep",
    why: "Nobody asked for a while; the next request wakes it.",
  },
  paused: { tone: "info", label: "paused", why: "It was paused and answers nothing." },
  deleting: { tone: "info", label: "deleting", why: "Its boards are being freed." },
  failed: { tone: "bad", label: "failed", why: "It could not be built or loaded." },
} as const satisfies Record<EndpointState, Appearance>;

/** How each state of a revision looks, and what it means in a sentence. */
const revisionAppearance = {
  building: { tone: "run", label: "building", why: "Its artifact is being built." },
  ready: { tone: "ok", label: "ready", why: "It can serve." },
  failed: { tone: "bad", label: "failed", why: "Its build failed." },
  retired: { tone: "info", label: "retired", why: "Another revision took over." },
} as const satisfies Record<RevisionState, Appearance>;

const loading = { tone: "run", label: "loading", why: "A board loads its artifact." } as const;

/** How a revision looks: one that is built and does not serve yet is loaded. */
export const appearanceOfRevision = ({
  state,
  artifactDigest,
}: Pick<Revision, "state" | "artifactDigest">): Appearance =>
  state === "building" && artifactDigest !== null ? loading : revisionAppearance[state];
