import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RevokeDialog } from "@/components/credentials";
import { Age, ErrorNote, StateMark } from "@/components/ui";
import type { ProjectConnection } from "@/lib/common/contract";
import { projectConnectionsQuery, removeConnection, tryConnection } from "./api";
import { ConnectionForm } from "./connection-form";

interface ConnectionRowProps {
  readonly connection: ProjectConnection;
  readonly mayChange: boolean;
}

/** A connection: where it leads, what its last test said, who uses it, and what can be done with it. */
export function ConnectionRow({ connection, mayChange }: ConnectionRowProps) {
  const t = useTranslations("connections");
  const [isChanging, setChanging] = useState(false);
  const { name, kind, prefixes, secretSetAt, usedBy } = connection;
  return (
    <li className="border-b border-line py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 className="break-words">
            {name} <span className="text-dense font-normal text-muted">{t(`kinds.${kind}`)}</span>
          </h3>
          <p className="text-dense text-muted">
            <code className="break-all">{addressOf(connection)}</code>
          </p>
          <p className="text-dense">
            {t("opens")}{" "}
            <code className="break-all">{prefixes.map((each) => `${each}…`).join(", ")}</code>
          </p>
          <p className="text-dense text-muted">
            {secretSetAt === null ? (
              t("noSecret")
            ) : (
              <>
                {t("secretSet")} <Age time={secretSetAt} />
              </>
            )}
          </p>
          <LastTest connection={connection} />
          <UsedBy usedBy={usedBy} />
        </div>
        {mayChange ? (
          <Deeds
            connection={connection}
            isChanging={isChanging}
            onChange={() => setChanging(!isChanging)}
          />
        ) : null}
      </div>
      {isChanging ? (
        <div className="mt-4 border-l-2 border-line pl-4">
          <ConnectionForm connection={connection} onDone={() => setChanging(false)} />
        </div>
      ) : null}
    </li>
  );
}

function addressOf(connection: ProjectConnection): string {
  switch (connection.kind) {
    case "https":
      return `https://${connection.place.host}`;
    case "oci":
      return connection.place.registry;
    case "s3":
    case "huggingface":
      return connection.place.endpoint;
  }
}

function LastTest({ connection: { lastTest } }: { readonly connection: ProjectConnection }) {
  const t = useTranslations("connections");
  if (lastTest === null)
    return (
      <p className="text-dense">
        <StateMark appearance={{ tone: "warn", label: t("untested"), why: "" }} />
      </p>
    );
  const { ok, said, at } = lastTest;
  return (
    <p className="text-dense break-words" role="status">
      <StateMark
        appearance={{ tone: ok ? "ok" : "bad", label: t(ok ? "works" : "fails"), why: "" }}
      />{" "}
      <span className="text-muted">
        <Age time={at} />: {said}
      </span>
    </p>
  );
}

function UsedBy({ usedBy: { count, names } }: Pick<ProjectConnection, "usedBy">) {
  const t = useTranslations("connections");
  if (count === 0) return <p className="text-dense text-muted">{t("usedByNone")}</p>;
  const more = count - names.length;
  return (
    <p className="text-dense">
      {t("usedBy")}{" "}
      {names.map((name, at) => (
        <span key={name}>
          {at === 0 ? "" : ", "}
          <Link href={`/endpoints/${name}`}>{name}</Link>
        </span>
      ))}
      {more > 0 ? ` ${t("more", { count: more })}` : null}
    </p>
  );
}

function Deeds({
  connection: { id, name, usedBy },
  isChanging,
  onChange,
}: {
  readonly connection: ProjectConnection;
  readonly isChanging: boolean;
  readonly onChange: () => void;
}) {
  const t = useTranslations("connections");
  const client = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const { queryKey } = projectConnectionsQuery();
  const test = useMutation({
    mutationFn: () => tryConnection(id),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  return (
    <div className="grid justify-items-end gap-2">
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-dense"
          aria-label={t("testOf", { name })}
          disabled={test.isPending}
          aria-busy={test.isPending}
          onClick={() => test.mutate()}
        >
          {t(test.isPending ? "testing" : "test")}
        </button>
        <button
          type="button"
          className="btn btn-dense"
          aria-label={t("changeOf", { name })}
          aria-expanded={isChanging}
          onClick={onChange}
        >
          {t("change")}
        </button>
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          aria-label={t("deleteOf", { name })}
          onClick={() => setRemoving(true)}
        >
          {t("delete")}
        </button>
      </div>
      {test.isError ? <ErrorNote title={t("notTested")} error={test.error} /> : null}
      {isRemoving ? (
        <RevokeDialog
          name={name}
          queryKey={queryKey}
          texts={{
            title: t("deleteTitle", { name }),
            text: t("deleteText", { count: usedBy.count }),
            revoke: t("delete"),
            keep: t("keep"),
            revoked: t("deleted", { name }),
            failed: t("deleteFailed"),
          }}
          revoke={() => removeConnection(id)}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </div>
  );
}
