import type { useTranslations } from "next-intl";
import type { Endpoint } from "@/lib/common/contract";

const mostNamed = 3;

/** What deleting endpoints breaks, and what stays, in a sentence or two. */
export function deleteImpact(
  endpoints: readonly Endpoint[],
  t: ReturnType<typeof useTranslations<"endpoints">>,
): string {
  const answering = endpoints.filter(({ state }) => state === "ready" || state === "degraded");
  if (answering.length === 0) return t("bulk.delete.none");
  const slots = endpoints.reduce((sum, { replicas }) => sum + replicas.serving, 0);
  const some = answering.slice(0, mostNamed);
  const named = some.map(({ name }) => name).join(", ");
  const more = answering.length - some.length;
  const names = more > 0 ? t("bulk.delete.more", { names: named, count: more }) : named;
  return t("bulk.delete.breaks", { names, slots });
}
