import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { ErrorNote, formatCount, Skeleton } from "@/components/ui";
import type { Build, LogDifference } from "@/lib/common/contract";
import { logDifferenceQuery } from "../api";
import { letterOf } from "./compared";

/** Where the log of each build leaves that of the first one, with the line of either. */
export function FirstDifferences({ builds }: { readonly builds: readonly Build[] }) {
  const t = useTranslations("builds.compare.log");
  const [first, ...others] = builds;
  if (!first) return null;
  return (
    <>
      <p className="mb-3 max-w-[68ch] text-dense text-muted">{t("how")}</p>
      <div className="grid gap-6">
        {others.map((other, index) => (
          <Difference key={other.id} here={first} there={other} letter={letterOf(index + 1)} />
        ))}
      </div>
    </>
  );
}

function Difference({
  here,
  there,
  letter,
}: {
  readonly here: Build;
  readonly there: Build;
  readonly letter: string;
}) {
  const t = useTranslations("builds.compare.log");
  const isFinal = here.endedAt !== null && there.endedAt !== null;
  const difference = useQuery(logDifferenceQuery(here.id, there.id, isFinal));
  return (
    <section aria-label={t("between", { here: letterOf(0), there: letter })}>
      <h3 className="label mb-1">{t("between", { here: letterOf(0), there: letter })}</h3>
      {difference.isPending ? <Skeleton lines={2} height={24} /> : null}
      {difference.isError ? (
        <ErrorNote
          title={t("unreadable")}
          error={difference.error}
          onRetry={() => void difference.refetch()}
        />
      ) : null}
      {difference.data ? (
        <Found
          difference={difference.data}
          sides={[
            { build: here, letter: letterOf(0) },
            { build: there, letter },
          ]}
        />
      ) : null}
    </section>
  );
}

interface Side {
  readonly build: Build;
  readonly letter: string;
}

function Found({
  difference: { same, first, final },
  sides: [here, there],
}: {
  readonly difference: LogDifference;
  readonly sides: readonly [Side, Side];
}) {
  const t = useTranslations("builds.compare.log");
  if (!first)
    return <p className="text-dense">{final ? t("none", { same }) : t("noneYet", { same })}</p>;
  return (
    <>
      <p className="mb-2 text-dense">{t("after", { same })}</p>
      <dl className="grid gap-2 text-dense">
        <Place side={here} place={first.here} />
        <Place side={there} place={first.there} />
      </dl>
    </>
  );
}

function Place({
  side: { build, letter },
  place: { attempt, line },
}: {
  readonly side: Side;
  readonly place: NonNullable<LogDifference["first"]>["here"];
}) {
  const t = useTranslations("builds.compare.log");
  return (
    <div className="grid gap-x-4 border-l-2 border-copper pl-3 tablet:grid-cols-[14rem_minmax(0,1fr)]">
      <dt>
        <b className="mr-2 text-copper">{letter}</b>
        {line ? (
          <Link
            className="inline-block min-h-6"
            href={`/builds/${build.id}?attempt=${attempt}#L${line.n}`}
          >
            {t("line", { line: formatCount(line.n), stage: line.stage, letter })}
          </Link>
        ) : (
          <span className="text-muted">{t("ended")}</span>
        )}
      </dt>
      <dd className="min-w-0">
        {line ? (
          <code className="break-words whitespace-pre-wrap">{line.text}</code>
        ) : (
          <span className="text-muted">–</span>
        )}
      </dd>
    </div>
  );
}
