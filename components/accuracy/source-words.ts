import type { useTranslations } from "next-intl";
import { formatCount } from "@/components/ui";
import { type Accuracy, isRangeAssumed } from "@/lib/common/contract";

type Words = ReturnType<typeof useTranslations<"accuracy">>;

/** Which rows were used for what, and what the figures are about, a sentence or two for each. */
export function sourceWords(accuracy: Accuracy, t: Words): readonly string[] {
  const { test, labelled, agreement, outputs = [] } = accuracy;
  const tested = { ...countOf(test.rows), source: test.source };
  const [first, second] = outputs;
  return [
    test.synthetic ? t("testedSynthetic", countOf(test.rows)) : t("tested", tested),
    calibrationWords(accuracy, t),
    ...(labelled || agreement === null ? [] : [t("unlabelled")]),
    ...(first && second ? [t("aboutFirst", { output: first.output })] : []),
  ];
}

function calibrationWords({ calibration, test }: Accuracy, t: Words): string {
  if (calibration === null) return t("uncalibrated");
  const { rows, source, synthetic, scaledBy: scale } = calibration;
  if (!synthetic) {
    return t(test.shared === 0 ? "calibratedApart" : "calibrated", { ...countOf(rows), source });
  }
  const key = isRangeAssumed(calibration) ? "calibratedAssumed" : "calibratedSynthetic";
  return t(key, { ...countOf(rows), scale });
}

/** A number of rows: to choose singular or plural by, and as it is shown. */
const countOf = (rows: number) => ({ count: rows, rows: formatCount(rows) });
