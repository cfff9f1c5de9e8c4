import { useTranslations } from "next-intl";
import { formatCount } from "@/components/ui";
import type { Following } from "./use-following";

/** Whether the log follows its end; else how much was written meanwhile. */
export function FollowButton({ following }: { following: Following }) {
  const t = useTranslations("builds.log");
  const { on, unseen } = following;
  return (
    <button
      type="button"
      className={`absolute right-4 bottom-3.5 min-h-7 rounded-full px-3.5 py-1 text-dense font-strong ${
        following.on ? "bg-accent text-on-accent" : "border border-accent bg-surface text-accent"
      }`}
      onClick={following.on ? following.stop : following.start}
      aria-pressed={following.on}
    >
      {on
        ? t("following")
        : unseen > 0
          ? t("newLines", { count: unseen, shown: formatCount(unseen) })
          : t("follow")}
    </button>
  );
}
