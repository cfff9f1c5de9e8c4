"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { boardsQuery, useBoardTitle } from "@/components/boards";
import { differencesOf, outlookOf, outlookWords } from "@/components/endpoints";
import { newRevisionSchema } from "@/lib/common/contract";
import { bodyOf, type Draft } from "./draft";
import type { RevisionOf } from "./form-start";

/** What a further revision changes in the one that answers, and what callers will notice when it takes over. */
export function RevisionOutlook({
  draft,
  revisionOf: { endpoint, from, serving },
  onReset,
}: {
  draft: Draft;
  revisionOf: RevisionOf;
  /** Takes the settings back with which the form began. */
  onReset: () => void;
}) {
  const t = useTranslations("endpoints");
  const own = useTranslations("deploy.revision");
  const basis = serving ?? from;
  const { name: _, ...body } = bodyOf(draft);
  const request = newRevisionSchema.safeParse(body).data;
  const differences = request ? differencesOf(basis.request, request, t) : [];
  const words = useOutlook(draft, { endpoint, serving });
  return (
    <section className="mb-5 text-dense" aria-live="polite">
      <h2 className="mb-2">{own("changes", { ordinal: basis.ordinal })}</h2>
      {differences.length > 0 ? (
        <>
          <ul className="grid gap-1.5">
            {differences.map(({ name, before, after }) => (
              <li key={name} className="break-words">
                <b>{name}</b>: <span className="text-muted">{before} →</span> {after}
              </li>
            ))}
          </ul>
          <button
            type="button"
            className="mt-1.5 min-h-6 text-accent hover:underline"
            onClick={onReset}
          >
            {own("back", { ordinal: from.ordinal })}
          </button>
        </>
      ) : (
        <p className="text-muted">{own("none")}</p>
      )}
      {words ? (
        <>
          <h3 className="mt-4 mb-1">{own("then")}</h3>
          <p>{words}</p>
        </>
      ) : null}
      {endpoint.next === null ? null : (
        <p className="mt-2">
          {own.rich("overtaken", {
            ordinal: endpoint.next,
            next: (words) => (
              <Link href={`/endpoints/${endpoint.name}?tab=revisions`}>{words}</Link>
            ),
          })}
        </p>
      )}
      {endpoint.paused ? <p className="mt-2">{own("paused")}</p> : null}
    </section>
  );
}

function useOutlook(
  { board }: Draft,
  { endpoint, serving }: Pick<RevisionOf, "endpoint" | "serving">,
): string | null {
  const t = useTranslations("endpoints");
  const boards = useQuery(boardsQuery()).data?.items;
  const title = useBoardTitle(board?.model ?? "", board?.kind ?? "cpu");
  if (!board || !boards || !serving) return null;
  const boardId = "id" in board ? board.id : null;
  const place = { boardModel: board.model, boardKind: board.kind, boardId };
  return outlookWords(
    outlookOf(endpoint.name, place, boards),
    { serving: serving.ordinal, next: "new", board: title },
    t,
  );
}
