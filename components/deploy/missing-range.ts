import type { Inspection } from "@/lib/common/contract";
import type { Complaints, ComplaintTexts, Draft } from "./draft";
import { inputCount } from "./input-count";
import { hasTyped, readRange } from "./range-draft";

/** Whether nothing says yet which values the inputs take: not the model and what lies beside it, and no rows or range here. */
export function isRangeMissing({ range, calibration }: Draft, facts: Inspection | undefined) {
  return facts?.rangeFrom === null && calibration === null && !hasTyped(range);
}

/** Whether the form has something to ask or to show about the range. */
export function asksForRange(draft: Draft, facts: Inspection | undefined): boolean {
  return isRangeMissing(draft, facts) || hasTyped(draft.range);
}

/** A range that cannot be used, or that is missing while nobody said to go on without. */
export function complaintAboutRange(
  draft: Draft,
  facts: Inspection | undefined,
  t: ComplaintTexts,
): Complaints {
  const { range, url } = draft;
  const { complaint } = readRange(range, facts ? inputCount(facts) : null);
  if (complaint !== null) return { range: t(complaint.key, complaint.values) };
  if (!isRangeMissing(draft, facts) || range.assumedFor === url.trim()) return {};
  return { range: t("range") };
}
