import { formatCount } from "@/components/ui";
import type { Following } from "./use-following";

/** Whether the log follows its end; else how much was written meanwhile. */
export function FollowButton({ following }: { following: Following }) {
  return (
    <button
      type="button"
      className={`absolute right-4 bottom-3.5 min-h-7 rounded-full px-3.5 py-1 text-dense font-strong ${
        following.on ? "bg-accent text-on-accent" : "border border-accent bg-surface text-accent"
      }`}
      onClick={following.on ? following.stop : following.start}
      aria-pressed={following.on}
    >
      {words(following)}
    </button>
  );
}

function words({ on, unseen }: Following): string {
  if (on) return "Following";
  return unseen > 0 ? `${formatCount(unseen)} new ${unseen === 1 ? "line" : "lines"}` : "Follow";
}
