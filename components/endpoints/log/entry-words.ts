import type { useTranslations } from "next-intl";
import type { EndpointLogEntry } from "@/lib/common/contract";

type Words = ReturnType<typeof useTranslations<"traffic.log">>;

/** One thing that happened to an endpoint, as a sentence. */
export function entryWords({ kind, state, revision }: EndpointLogEntry, t: Words): string {
  const values = { state: state ?? "", revision: revision ?? 0 };
  switch (kind) {
    case "state":
      return t("kinds.state", { state: values.state });
    case "revision":
      return t("kinds.revision", values);
    case "switched":
      return t("kinds.switched", { revision: values.revision });
    case "board":
      return t("kinds.board", values);
    default:
      return t(`kinds.${kind}`);
  }
}

const bad: ReadonlySet<string> = new Set(["failed", "unknown", "unreachable"]);
const good: ReadonlySet<string> = new Set(["ready", "serving"]);
const underWay: ReadonlySet<string> = new Set(["building", "loading", "testing"]);

/** How an entry is marked: good, bad, under way, or nothing in particular. */
export function entryTone({ kind, state, reason }: EndpointLogEntry) {
  if (state === "degraded") return "warn";
  if (reason !== null || bad.has(state ?? "")) return "bad";
  if (kind === "created") return "idle";
  if (kind === "switched" || good.has(state ?? "")) return "ok";
  return underWay.has(state ?? "") ? "run" : "idle";
}
