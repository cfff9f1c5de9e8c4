"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Age, Loaded, notify, Skeleton, useOutdated } from "@/components/ui";
import type { ActivityItem } from "@/lib/common/contract";
import { activityQuery, undo } from "./api";

/** What was done lately: who, when, to what; and the way back where there still is one. */
export function ActivityList() {
  const t = useTranslations("activity");
  return (
    <>
      <p className="mb-6 max-w-prose text-muted">{t("intro")}</p>
      <Loaded
        query={useQuery(activityQuery())}
        loading={<Skeleton lines={8} height={28} />}
        failure={t("unreadable")}
        empty={<p className="text-muted">{t("none")}</p>}
      >
        {({ items }) => <Table items={items} />}
      </Loaded>
    </>
  );
}

function Table({ items }: { items: readonly ActivityItem[] }) {
  const t = useTranslations("activity");
  return (
    <table className="table max-w-[960px]">
      <caption className="sr-only">{t("title")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("what")}</th>
          <th scope="col" className="max-tablet:hidden">
            {t("who")}
          </th>
          <th scope="col">{t("when")}</th>
          <th scope="col">
            <span className="sr-only">{t("back")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ item }: { item: ActivityItem }) {
  const t = useTranslations("activity");
  const words = useTranslations("shell");
  const { kind, target, revision = 0, at } = item;
  const [noun = "", act = ""] = kind.split(".");
  const link = () =>
    target.isGone ? (
      <b className="break-all">{target.name}</b>
    ) : (
      <Link className="break-all underline" href={`/${noun}s/${target.id}`}>
        {target.name}
      </Link>
    );
  return (
    <tr>
      <td>{t.rich(`kinds.${noun as "endpoint"}.${act as "created"}`, { name: link, revision })}</td>
      <td className="text-muted max-tablet:hidden">{words("owner")}</td>
      <td className="text-dense text-muted">
        <Age time={at} />
      </td>
      <td className="text-right">{item.undo ? <Undo item={item} call={item.undo} /> : null}</td>
    </tr>
  );
}

function Undo({ item, call }: { item: ActivityItem; call: NonNullable<ActivityItem["undo"]> }) {
  const t = useTranslations("activity");
  const client = useQueryClient();
  const { name } = item.target;
  const isOutdated = useOutdated();
  const back = useMutation({
    mutationFn: () => undo(call),
    onSuccess: async () => {
      await client.invalidateQueries();
      notify({ title: t("undone", { name }) });
    },
    onError: (error) => notify({ title: t("notUndone", { name }), text: error.message }),
  });
  return (
    <button
      type="button"
      className="btn btn-dense"
      disabled={back.isPending || isOutdated}
      aria-busy={back.isPending}
      onClick={() => back.mutate()}
    >
      {t.rich("undo", { name, what: (words) => <span className="sr-only">{words}</span> })}
    </button>
  );
}
