import { useTranslations } from "next-intl";
import { formatNs, formatShare } from "@/components/ui";
import type { TimeShare as Share } from "@/lib/common/contract";

const parts = [
  { id: "gatewayMs", colour: "var(--hue-shell-1)" },
  { id: "queueMs", colour: "var(--hue-4)" },
  { id: "linkMs", colour: "var(--hue-2)" },
  { id: "hostMs", colour: "var(--hue-6)" },
  { id: "computeMs", colour: "var(--accent)" },
] as const satisfies readonly { id: keyof Share; colour: string }[];

/** Where the time of an answered request goes in the mean, as one bar of parts. */
export function TimeShare({ share }: { share: Share | null }) {
  const t = useTranslations("traffic.share");
  if (!share) return <p className="text-muted">{t("none")}</p>;
  const whole = parts.reduce((sum, { id }) => sum + share[id], 0);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 text-dense font-strong">
        {t("title", { mean: formatNs(whole * 1e6) })}
      </figcaption>
      <div aria-hidden="true" className="flex h-5 overflow-hidden rounded-[4px] bg-sunken">
        {parts.map(({ id, colour }) => (
          <i
            key={id}
            className="border-r border-bg last:border-0"
            style={{ width: `${(share[id] / Math.max(whole, 1e-9)) * 100}%`, background: colour }}
          />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-dense">
        {parts.map(({ id, colour }) => (
          <li key={id} className="whitespace-nowrap">
            <i
              aria-hidden="true"
              className="mr-1.5 inline-block size-2.5 rounded-[2px]"
              style={{ background: colour }}
            />
            {t(id)} {formatNs(share[id] * 1e6)}{" "}
            <span className="text-muted">{formatShare(whole > 0 ? share[id] / whole : 0)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
