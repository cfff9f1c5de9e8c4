import { useTranslations } from "next-intl";
import { formatNs, formatShare, Picture } from "@/components/ui";
import type { TimeShare as Share } from "@/lib/common/contract";

const parts = [
  { id: "gatewayMs", colour: "var(--hue-shell-1)" },
  { id: "queueMs", colour: "var(--hue-4)" },
  { id: "linkMs", colour: "var(--hue-2)" },
  { id: "hostMs", colour: "var(--hue-6)" },
  { id: "computeMs", colour: "var(--accent)" },
] as const satisfies readonly { id: keyof Share; colour: string }[];

/** Where the time of an answered request goes in the mean, as one bar of parts. */
export function TimeShare({ name, share }: { name: string; share: Share | null }) {
  const t = useTranslations("traffic.share");
  if (!share) return <p className="text-muted">{t("none")}</p>;
  const wholeMs = parts.reduce((sum, { id }) => sum + share[id], 0);
  const rows = parts.map((part) => ({
    ...part,
    ms: share[part.id],
    share: wholeMs > 0 ? share[part.id] / wholeMs : 0,
  }));
  const [largest] = rows.toSorted((a, b) => b.ms - a.ms);
  if (!largest) return null;
  return (
    <Picture
      title={t("title", {
        mean: formatNs(wholeMs * 1e6),
        part: t(largest.id),
        share: formatShare(largest.share),
      })}
      summary={t("reading")}
      file={`${name}-time-share`}
      rows={rows}
      columns={[
        { id: "part", label: t("part"), value: ({ id }) => id, show: ({ id }) => t(id) },
        { id: "ms", label: t("time"), value: ({ ms }) => ms, show: ({ ms }) => formatNs(ms * 1e6) },
        {
          id: "share",
          label: t("share"),
          value: (row) => row.share,
          show: (row) => formatShare(row.share),
        },
      ]}
    >
      <div className="flex h-5 overflow-hidden rounded-[4px] bg-sunken">
        {rows.map(({ id, colour, ...row }, index) => (
          <i
            key={id}
            data-point={index}
            className="border-r border-bg last:border-0"
            style={{ width: `${row.share * 100}%`, background: colour }}
          />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-dense">
        {rows.map(({ id, colour, ms, ...row }) => (
          <li key={id} className="whitespace-nowrap">
            <i
              className="mr-1.5 inline-block size-2.5 rounded-[2px]"
              style={{ background: colour }}
            />
            {t(id)} {formatNs(ms * 1e6)}{" "}
            <span className="text-muted">{formatShare(row.share)}</span>
          </li>
        ))}
      </ul>
    </Picture>
  );
}
