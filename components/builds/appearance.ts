import type { Appearance } from "@/components/ui";
import type { BuildState } from "@/lib/common/contract";

/** How each state of a build looks, and what it means in a sentence. */
export const buildAppearance = {
  queued: { tone: "idle", label: "queued", why: "It waits for a worker." },
  preparing: { tone: "run", label: "preparing", why: "A worker took it and fetches the model." },
  running: { tone: "run", label: "running", why: "Its stages run one after the other." },
  succeeded: { tone: "ok", label: "succeeded", why: "The artifact is proven, signed and stored." },
  failed: { tone: "bad", label: "failed", why: "A stage failed; the first error says why." },
  cancelled: {
    tone: "info",
    label: "cancelled",
    why: "Somebody stopped it. Retry starts it anew.",
  },
  timed_out: {
    tone: "bad",
    label: "timed out",
    why: "It used up its time. Retry, or choose a smaller model or fewer lanes.",
  },
} as const satisfies Record<BuildState, Appearance>;
