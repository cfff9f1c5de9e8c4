import Link from "next/link";
import { Age, ToneIcon } from "@/components/ui";
import type { EqualBuilds } from "@/lib/common/contract";

/** That an equal artifact exists, so that nothing has to be built: what makes it equal, and which build showed it last. */
export function ReuseLine({ reusable }: Pick<EqualBuilds, "reusable">) {
  if (!reusable) return null;
  return (
    <p
      role="note"
      className="mb-4 flex items-baseline gap-2 border-l-2 border-ok py-1 pl-3 text-dense"
    >
      <ToneIcon tone="ok" />
      <span>
        An equal artifact exists already, from the{" "}
        <Link href={`/builds/${reusable.buildId}`}>build</Link> of <Age time={reusable.at} />.
        Unless the tools have changed since, it is reused: seconds, no build.
      </span>
    </p>
  );
}
