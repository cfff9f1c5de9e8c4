import type { useTranslations } from "next-intl";
import { formatCount } from "@/components/ui";
import { fail } from "@/lib/common/errors";
import { Problem } from "./problem";

/** A problem of the page with message and hint in the reader's language; any other error as it is. */
export function problemInWords(
  error: Error,
  t: ReturnType<typeof useTranslations<"simulate">>,
): Error {
  if (!(error instanceof Problem)) return error;
  const { key, reason, values, cause } = error;
  const { role = "", said = "", cycles = 0 } = values;
  const message = t(`problems.${key}.message`, { role, said, cycles: formatCount(cycles) });
  return fail(reason, message, { hint: t(`problems.${key}.hint`), cause });
}
