import type { useTranslations } from "next-intl";
import type { RequestFix, RequestProblem } from "../request/check-request";

type Translate = ReturnType<typeof useTranslations<"predictions">>;

/** What is wrong, as a sentence. */
export const problemWords = (t: Translate, { code, values }: RequestProblem): string =>
  t(`problems.${code}`, values);

/** What a button does about it. */
export const fixWords = (t: Translate, { code, values }: RequestFix): string =>
  t(`fixes.${code}`, values);
