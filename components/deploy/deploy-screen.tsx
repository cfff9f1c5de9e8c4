"use client";

import { useQueries, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { boardsQuery } from "@/components/boards";
import { buildQuery } from "@/components/builds";
import { endpointQuery, revisionsQuery } from "@/components/endpoints";
import { enginesQuery } from "@/components/engines";
import { ErrorNote, Skeleton } from "@/components/ui";
import type { Board, NewRevision } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { recipeQuery } from "./api";
import { DeployForm } from "./deploy-form";
import { draftOfContent } from "./draft-of-content";
import { draftOfRequest } from "./draft-of-request";
import { type DeployStart, startDraft } from "./start-draft";

interface DeployScreenProps {
  readonly start: DeployStart;
  readonly gatewayUrl: string;
}

/** The form: empty or as an address asks for, filled in as a build was asked for, or for a further revision of an endpoint. */
export function DeployScreen({ start, gatewayUrl }: DeployScreenProps) {
  const { endpoint, build, recipe } = start;
  if (endpoint !== undefined)
    return <RevisionForm name={endpoint} start={start} gatewayUrl={gatewayUrl} />;
  if (build !== undefined) return <AgainForm id={build} start={start} gatewayUrl={gatewayUrl} />;
  if (recipe !== undefined) return <RecipeForm id={recipe} start={start} gatewayUrl={gatewayUrl} />;
  return (
    <DeployForm
      start={{
        draft: startDraft(start),
        keep: { key: "boardwalk.deploy", wins: false },
        revisionOf: null,
      }}
      gatewayUrl={gatewayUrl}
    />
  );
}

/** For a further revision: all as an earlier one was asked for, or as the address says on top of it. */
function RevisionForm({ name, start, gatewayUrl }: DeployScreenProps & { name: string }) {
  const t = useTranslations("deploy.start");
  const [endpoint, revisions, boards] = useQueries({
    queries: [endpointQuery(name), revisionsQuery(name), boardsQuery()],
  });
  const error = endpoint.error ?? revisions.error ?? boards.error;
  if (error) return <NoStart title={t("unchangeable", { name })} error={error} />;
  if (!endpoint.data || !revisions.data || !boards.data) return <Loading />;
  const asked = start.revision === undefined ? endpoint.data.revision : Number(start.revision);
  const from = revisions.data.items.find(({ ordinal }) => ordinal === asked);
  if (!from) {
    const unknown = fail(
      "REVISION_UNKNOWN",
      t("noRevision", { name, revision: start.revision ?? "" }),
    );
    return <NoStart title={t("unchangeable", { name })} error={unknown} />;
  }
  const serving = revisions.data.items.find(
    ({ ordinal, servedAt }) => ordinal === endpoint.data.revision && servedAt !== null,
  );
  const { request, boardModel, boardKind, ordinal, modelName } = from;
  const loads = loadsOf(request, boards.data.items);
  const understood = t("revision", { ordinal });
  return (
    <DeployForm
      key={`${name} ${ordinal}`}
      start={{
        draft: {
          ...draftOfRequest({ request, boardModel, boardKind, loads, modelName, understood }),
          ...startDraft(start),
          name,
          named: true,
        },
        keep: { key: `boardwalk.revision.${name}.${ordinal}`, wins: true },
        revisionOf: { endpoint: endpoint.data, from, serving: serving ?? null },
      }}
      gatewayUrl={gatewayUrl}
    />
  );
}

/** For another endpoint: all as a build was asked for, or as the address says on top of it. */
function AgainForm({ id, start, gatewayUrl }: DeployScreenProps & { id: string }) {
  const t = useTranslations("deploy.start");
  const build = useQuery(buildQuery(id));
  const boards = useQuery(boardsQuery());
  const error = build.error ?? boards.error;
  if (error) return <NoStart title={t("notAgain")} error={error} />;
  if (!build.data || !boards.data) return <Loading />;
  const { request, boardModel, boardKind, modelUrl, modelName, engine, options } = build.data;
  const earlier: NewRevision = request ?? {
    engine,
    model: { url: modelUrl },
    board: { model: boardModel, kind: boardKind },
    options,
  };
  const loads = loadsOf(earlier, boards.data.items);
  return (
    <DeployForm
      key={id}
      start={{
        draft: {
          ...draftOfRequest({
            request: earlier,
            boardModel,
            boardKind,
            loads,
            modelName,
            understood: t("thatBuild"),
          }),
          ...startDraft(start),
        },
        keep: { key: "boardwalk.deploy", wins: false },
        revisionOf: null,
      }}
      gatewayUrl={gatewayUrl}
    />
  );
}

/** As a recipe says, or as the address says on top of it. */
function RecipeForm({ id, start, gatewayUrl }: DeployScreenProps & { id: string }) {
  const t = useTranslations("deploy");
  const recipe = useQuery(recipeQuery(id));
  const [engines, boards] = useQueries({ queries: [enginesQuery(), boardsQuery()] });
  const error = recipe.error ?? engines.error ?? boards.error;
  if (error) return <NoStart title={t("start.noRecipe")} error={error} />;
  if (!recipe.data || !engines.data || !boards.data) return <Loading />;
  const { part } = draftOfContent(recipe.data.content, {
    boards: boards.data.items.map(({ id: board, boardModel, kind, loads }) => ({
      pick: { id: board, model: boardModel, kind, loads },
    })),
    engines: engines.data.items,
    understood: t("recipes.understood"),
  });
  return (
    <DeployForm
      key={id}
      start={{
        draft: { ...part, ...startDraft(start) },
        keep: { key: "boardwalk.deploy", wins: false },
        revisionOf: null,
      }}
      gatewayUrl={gatewayUrl}
    />
  );
}

const loadsOf = ({ board }: NewRevision, boards: readonly Board[]) =>
  "id" in board ? boards.find(({ id }) => id === board.id)?.loads : undefined;

function Loading() {
  const t = useTranslations("deploy");
  return (
    <>
      <h1 className="mb-6">{t("title")}</h1>
      <Skeleton lines={8} height={36} />
    </>
  );
}

function NoStart({ title, error }: { title: string; error: unknown }) {
  const t = useTranslations("deploy");
  return (
    <>
      <h1 className="mb-6">{t("title")}</h1>
      <ErrorNote title={title} error={error} />
      <p className="mt-4">
        <Link href="/deploy">{t("start.empty")}</Link>
      </p>
    </>
  );
}
