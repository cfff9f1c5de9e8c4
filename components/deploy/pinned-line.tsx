import { useTranslations } from "next-intl";
import { shortDigest } from "@/components/ui";
import type { Draft } from "./draft";

/** What an earlier request said of its model besides the address, and the way to drop it. */
export function PinnedLine({
  draft: { pinned, url },
  onTakeAnew,
}: {
  draft: Draft;
  onTakeAnew: () => void;
}) {
  const t = useTranslations("deploy.pinned");
  if (pinned?.url !== url.trim() || !(pinned.digest || pinned.card)) return null;
  return (
    <p className="-mt-6 mb-9 flex flex-wrap items-baseline gap-x-3 pl-7 text-dense tablet:pl-10">
      <span>
        {pinned.digest ? (
          <>
            {t.rich("file", {
              digest: () => <code title={pinned.digest}>{shortDigest(pinned.digest ?? "")}</code>,
            })}{" "}
          </>
        ) : null}
        {pinned.card ? t("card") : null}
      </span>
      <button type="button" className="min-h-6 text-accent hover:underline" onClick={onTakeAnew}>
        {t("anew")}
      </button>
    </p>
  );
}
