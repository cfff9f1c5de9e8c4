import Link from "next/link";
import { useTranslations } from "next-intl";
import { formatCount, useResourceName } from "@/components/ui";
import { type Build, type Fit, tooLargeSchema } from "@/lib/common/contract";
import { again } from "./build-buttons";

/** Of a model that was too large: what is missing, and the changes that would fit, each a press away from the form. */
export function NearestFits({ build }: { build: Build }) {
  const t = useTranslations("builds.failure");
  const nameOf = useResourceName();
  if (build.problem?.reason !== "MODEL_TOO_LARGE") return null;
  const found = tooLargeSchema.safeParse(build.problem.details ?? {});
  if (!found.success) return null;
  const { lacking, fits } = found.data;
  return (
    <>
      {lacking.length > 0 ? (
        <ul className="mt-2 text-dense">
          {lacking.map(({ id, name, needed, available }) => (
            <li key={id}>
              {t.rich("lacking", {
                name: nameOf({ id, name }),
                needed: formatCount(needed),
                available: formatCount(available),
                missing: formatCount(needed - available),
                b: (words) => <b>{words}</b>,
              })}
            </li>
          ))}
        </ul>
      ) : null}
      {fits.length > 0 ? (
        <div className="mt-3">
          <p className="mb-1 text-dense text-muted">{t("fits")}</p>
          <p className="flex flex-wrap gap-2">
            {fits.map((fit) => (
              <Link
                key={fit.title}
                className="btn btn-dense btn-long"
                href={`/deploy?${queryOf(build, fit)}`}
              >
                {fit.title}
              </Link>
            ))}
          </p>
        </div>
      ) : null}
    </>
  );
}

function queryOf(build: Build, { options, board }: Fit): URLSearchParams {
  const query = again(build);
  if (board !== undefined) query.set("board", board);
  if (Object.keys(options).length > 0) query.set("options", JSON.stringify(options));
  return query;
}
