import { useTranslations } from "next-intl";
import { formatCount, formatShare } from "./format";
import { Picture } from "./picture";
import { ResourceBar } from "./resource-bar";
import { type ResourceUse, useResourceName } from "./use-resource-name";

const shareOf = ({ used, available }: ResourceUse) => used / available;

/** What a design takes of each resource of its board, as bars. */
export function ResourceBars({
  resources,
  isWide = false,
}: {
  readonly resources: readonly ResourceUse[];
  /** In two columns, where there is room. */
  readonly isWide?: boolean;
}) {
  const t = useTranslations("ui.resources");
  const nameOf = useResourceName();
  const [fullest] = resources
    .filter(({ available }) => available > 0)
    .toSorted((a, b) => shareOf(b) - shareOf(a));
  if (!fullest) return null;
  return (
    <Picture
      title={t("fullest", {
        name: nameOf(fullest),
        share: formatShare(shareOf(fullest)),
        available: formatCount(fullest.available),
      })}
      summary={t("reading")}
      file="resources"
      rows={resources}
      columns={[
        { id: "resource", label: t("kind"), value: ({ id }) => id, show: (each) => nameOf(each) },
        {
          id: "used",
          label: t("used"),
          value: ({ used }) => used,
          show: ({ used }) => formatCount(used),
        },
        {
          id: "available",
          label: t("available"),
          value: ({ available }) => available,
          show: ({ available }) => formatCount(available),
        },
        {
          id: "share",
          label: t("part"),
          value: (each) => (each.available === 0 ? null : shareOf(each)),
          show: (each) => (each.available === 0 ? "–" : formatShare(shareOf(each))),
        },
      ]}
    >
      <div className={isWide ? "grid gap-x-12 tablet:grid-cols-2" : ""}>
        {resources.map(({ id, name, used, available }, index) => (
          <div key={id} data-point={index}>
            <ResourceBar name={nameOf({ id, name })} used={used} available={available} />
          </div>
        ))}
      </div>
    </Picture>
  );
}
