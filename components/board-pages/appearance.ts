import type { Appearance } from "@/components/ui";
import type { Attachment, TrialStep } from "@/lib/common/contract";

/** How each state of an attachment feels; its word is in `boards.attach.states`. */
export const attachmentTones = {
  testing: "run",
  attached: "ok",
  refused: "bad",
} as const satisfies Record<Attachment["state"], Appearance["tone"]>;

/** How each state of a step of a trial feels; its word is in `boards.attach.stepStates`. */
export const trialStepTones = {
  waiting: "idle",
  running: "run",
  succeeded: "ok",
  failed: "bad",
} as const satisfies Record<TrialStep["state"], Appearance["tone"]>;
