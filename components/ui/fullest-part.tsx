import { useTranslations } from "next-intl";
import { Unknown } from "./unknown";
import { type ResourceUse, shareOf } from "./use-resource-name";

/** The resource of a board that a design fills most. */
export function FullestPart({ resources }: { readonly resources: readonly ResourceUse[] }) {
  const t = useTranslations("ui.resources");
  const [fullest] = resources
    .filter(({ available }) => available > 0)
    .toSorted((a, b) => b.used / b.available - a.used / a.available);
  if (!fullest) return <Unknown />;
  return (
    <span className="text-dense whitespace-nowrap">
      {t.rich("share", {
        ...shareOf(fullest),
        part: (words) => <span className="text-muted">{words}</span>,
      })}
    </span>
  );
}
