"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useBoardTitle } from "@/components/boards";
import { CopyButton, formatShape, modelTitle } from "@/components/ui";
import type { Endpoint, Revision } from "@/lib/common/contract";
import { keysOf } from "@/lib/common/records";
import { revisionsQuery } from "./api";
import { DeleteDialog } from "./delete-dialog";
import { servingName } from "./differences";
import { newRevisionOf } from "./new-revision";
import { PayloadsSwitch } from "./requests/payloads-switch";

/** What an endpoint is made of, how each of it is changed, and the way to delete it. */
export function SettingsPanel({ endpoint }: { endpoint: Endpoint }) {
  const [deleting, setDeleting] = useState(false);
  const revisions = useQuery(revisionsQuery(endpoint.name)).data?.items;
  const serving = revisions?.find(({ ordinal }) => ordinal === endpoint.revision);
  const tensors = (list: Endpoint["inputs"]) =>
    list.map((t) => `${t.name} ${t.datatype} ${formatShape(t.shape)}`).join(", ");
  return (
    <>
      <dl className="mb-12 grid max-w-[820px] grid-cols-[auto_minmax(0,1fr)] gap-x-8 gap-y-2">
        <Fact name="Service type">{endpoint.serviceType}</Fact>
        <Fact name="API version">{endpoint.apiVersion}</Fact>
        <Fact name="Model">{modelTitle(endpoint.modelUrl, endpoint.modelName)}</Fact>
        <Fact name="Model address">{endpoint.modelUrl}</Fact>
        <Fact name="Takes">{tensors(endpoint.inputs)}</Fact>
        <Fact name="Gives">{tensors(endpoint.outputs)}</Fact>
        <Fact
          name="Artifact"
          action={
            endpoint.artifactDigest ? (
              <CopyButton text={endpoint.artifactDigest} label="Copy the digest" />
            ) : null
          }
        >
          {endpoint.artifactDigest ?? "none yet"}
        </Fact>
      </dl>
      <SetWithRevision endpoint={endpoint} serving={serving} />
      <PayloadsSwitch name={endpoint.name} />
      <section>
        <h2 className="mb-2">Delete</h2>
        <p className="mb-3 max-w-[68ch] text-muted">
          Clients of {endpoint.url} get “not found” from then on. The artifact and the builds stay;
          the name becomes free.
        </p>
        <button type="button" className="btn btn-danger" onClick={() => setDeleting(true)}>
          Delete {endpoint.name}
        </button>
        {deleting ? <DeleteDialog endpoint={endpoint} onClose={() => setDeleting(false)} /> : null}
      </section>
    </>
  );
}

/** What a further revision changes, with a way to the question of the form that asks for it. */
function SetWithRevision({
  endpoint,
  serving,
}: {
  endpoint: Endpoint;
  serving: Revision | undefined;
}) {
  const t = useTranslations("endpoints");
  const board = useBoardTitle(endpoint.boardModel, endpoint.boardKind);
  const { name, revision } = endpoint;
  return (
    <section className="mb-12">
      <h2 className="mb-2">Set with a revision</h2>
      <p className="mb-3 max-w-[68ch] text-muted">
        Board and serving belong to revision {revision} and do not change. A new revision with other
        settings takes over once it serves; without other changes nothing is built anew.
      </p>
      <dl className="grid max-w-[820px] grid-cols-[auto_minmax(0,1fr)] gap-x-8 gap-y-2">
        <Fact
          name="Board"
          action={
            <Link
              className="btn btn-dense"
              href={newRevisionOf(name, { revision, question: "board" })}
            >
              Change the board
            </Link>
          }
        >
          {board}
        </Fact>
        <Fact
          name="Serving"
          action={
            <Link
              className="btn btn-dense"
              href={newRevisionOf(name, { revision, question: "serving" })}
            >
              Change serving
            </Link>
          }
        >
          {servingWords(serving, t)}
        </Fact>
      </dl>
    </section>
  );
}

function servingWords(
  revision: Revision | undefined,
  t: ReturnType<typeof useTranslations<"endpoints">>,
): string {
  const serving = revision?.request.serving ?? {};
  const set = keysOf(serving).map((name) => `${servingName(name, t)}: ${String(serving[name])}`);
  return set.length > 0 ? set.join(" · ") : "one replica, batches of all that wait";
}

function Fact({
  name,
  action,
  children,
}: {
  name: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-baseline border-b border-line pb-2">
      <dt className="text-muted">{name}</dt>
      <dd className="flex flex-wrap items-baseline justify-between gap-2">
        <span className="min-w-0 break-all">{children}</span>
        {action}
      </dd>
    </div>
  );
}
