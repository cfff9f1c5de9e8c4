import Link from "next/link";
import { useTranslations } from "next-intl";
import { Term } from "@/components/glossary";
import { Age, ToneIcon } from "@/components/ui";
import type { EqualBuilds } from "@/lib/common/contract";

/** That an equal artifact exists, so that nothing has to be built: what makes it equal, and which build showed it last. */
export function ReuseLine({ reusable }: Pick<EqualBuilds, "reusable">) {
  const t = useTranslations("deploy");
  if (!reusable) return null;
  return (
    <p
      role="note"
      className="mb-4 flex items-baseline gap-2 border-l-2 border-ok py-1 pl-3 text-dense"
    >
      <ToneIcon tone="ok" />
      <span>
        {t.rich("reuse", {
          made: (words) => <Link href={`/builds/${reusable.buildId}`}>{words}</Link>,
          reused: (words) => <Term id="reuse">{words}</Term>,
          age: () => <Age time={reusable.at} />,
        })}
      </span>
    </p>
  );
}
