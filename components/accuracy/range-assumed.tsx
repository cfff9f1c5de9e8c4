import Link from "next/link";
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
  if (!calibration || !isRangeAssumed(calibration)) return null;
  return (
    <p className="my-4 max-w-[80ch] border-l-2 border-warn py-1 pl-4 text-dense">
      <StateMark appearance={{ tone: "warn", label: "Range assumed", why: "" }} />: nothing said
      which values the inputs take, so it was built for about −4 to 4. A value outside of that is
      cut off at the edge, and the answer may be wrong.{" "}
      <Link href={deployAgain}>Deploy again with a range or rows</Link>
    </p>
  );
}
