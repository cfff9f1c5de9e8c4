import { boundsOf } from "@/lib/common/fixed-point";
import type { CoreLayout } from "./core-layout";

/** Whether every sweep saturates to a whole format, of the few that hidden values of float models have. */
export function hasUsualFormats({ sweeps, hiddenWidth, resultBits, tables }: CoreLayout): boolean {
  const inner = sweeps.filter(({ answers, nodes }) => !answers && nodes.value !== null);
  const unsigned = inner.filter(({ format }) => !format.signed).map(({ format }) => format.width);
  const narrow = Math.min(...unsigned, hiddenWidth);
  return (
    resultBits === 16 &&
    tables === null &&
    sweeps.every(({ clamp, answers, format }) => {
      const own = boundsOf(answers ? { width: 16, signed: true } : format);
      return clamp.max === own.max && (clamp.min === own.min || clamp.min === 0);
    }) &&
    inner.every(({ format: { width, signed } }) =>
      signed ? width === hiddenWidth : width === hiddenWidth || width === narrow,
    )
  );
}
