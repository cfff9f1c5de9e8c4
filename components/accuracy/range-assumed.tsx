import Link from "next/link";
import { useTranslations } from "next-intl";
import { StateMark } from "@/components/ui";
import { type Calibration, isRangeAssumed } from "@/lib/common/contract";

/** Says that a firmware was built for a range of inputs that nobody gave, what that means, and how to mend it. */
export function RangeAssumed({
  calibration,
  deployAgain,
}: {
  calibration: Calibration | undefined;
  /** Address of the form with the same request. */
  deployAgain: string;
}) {
  const t = useTranslations("accuracy.range");
  if (!calibration || !isRangeAssumed(calibration)) return null;
  return (
    <p className="my-4 max-w-[80ch] border-l-2 border-warn py-1 pl-4 text-dense">
      {t.rich("text", {
        mark: () => <StateMark appearance={{ tone: "warn", label: t("assumed"), why: "" }} />,
        link: (text) => <Link href={deployAgain}>{text}</Link>,
      })}
    </p>
  );
}
