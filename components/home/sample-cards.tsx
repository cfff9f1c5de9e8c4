"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/ui";
import { type KnownRow, knownRows } from "./known-rows";

const cards = ["digits", "iris", "banknote"] as const;

/** Three samples: a row of each as a picture, the answer that is right, and the form filled in. */
export function SampleCards() {
  const t = useTranslations("home.samples");
  return (
    <>
      <h3 className="mb-1">{t("title")}</h3>
      <p className="mb-3 max-w-[72ch] text-dense text-muted">{t("text")}</p>
      <ul className="grid gap-4 tablet:grid-cols-3">
        {cards.map((id) => {
          const known = knownRows[id];
          return (
            <li key={id} className="rounded-control border border-line bg-surface p-4">
              <div className="flex items-start gap-4">
                {id === "digits" ? <Pixels row={known.row} /> : <Bars row={known.row} />}
                <div className="min-w-0 text-dense">
                  <p className="text-body font-strong">{t(`${id}.title`)}</p>
                  <p className="text-muted">{t(`${id}.text`)}</p>
                </div>
              </div>
              <p className="mt-3 text-dense">
                {t.rich("right", { answer: t(`${id}.answer`), b: (words) => <b>{words}</b> })}
              </p>
              <p className="mt-3 flex flex-wrap gap-2">
                <Link className="btn btn-dense" href={`/deploy?sample=${known.sample}`}>
                  {t("deploy")}
                </Link>
                <CopyButton text={requestOf(known)} label={t("copyFor", { name: known.sample })}>
                  {t("copy")}
                </CopyButton>
              </p>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** A V2 request with the row. */
const requestOf = ({ input, row }: KnownRow) =>
  JSON.stringify({
    inputs: [{ name: input, shape: [1, row.length], datatype: "FP32", data: row }],
  });

/** An image of 8 × 8 pixels, 0 to 1 each, the first row on top. */
function Pixels({ row }: { row: readonly number[] }) {
  const t = useTranslations("home.samples");
  return (
    <svg
      viewBox="0 0 8 8"
      width="72"
      height="72"
      role="img"
      aria-label={t("digits.picture")}
      className="flex-none rounded-control bg-sunken"
      shapeRendering="crispEdges"
    >
      {row.map((value, at) =>
        value > 0 ? (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a pixel is its place
            key={at}
            x={at % 8}
            y={Math.floor(at / 8)}
            width="1"
            height="1"
            fill="var(--text)"
            opacity={value}
          />
        ) : null,
      )}
    </svg>
  );
}

/** A few numbers as bars about a zero line. */
function Bars({ row }: { row: readonly number[] }) {
  const t = useTranslations("home.samples");
  const most = Math.max(...row.map(Math.abs));
  const isSigned = row.some((value) => value < 0);
  const zero = isSigned ? 36 : 70;
  return (
    <svg
      viewBox="0 0 72 72"
      width="72"
      height="72"
      role="img"
      aria-label={t("numbers", { values: row.map((value) => value.toFixed(1)).join(", ") })}
      className="flex-none rounded-control bg-sunken"
    >
      {row.map((value, at) => {
        const tall = (Math.abs(value) / most) * (isSigned ? 32 : 64);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a feature is its place
            key={at}
            x={8 + at * 15}
            y={value < 0 ? zero : zero - tall}
            width="10"
            height={tall}
            fill="var(--accent)"
          />
        );
      })}
      <path d={`M4 ${zero}h64`} stroke="var(--line-strong)" />
    </svg>
  );
}
