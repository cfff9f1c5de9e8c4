"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useBoardFacts } from "@/components/boards";
import {
  EndpointState,
  ErrorCell,
  endpointOverviewQuery,
  RateCell,
  RecentCell,
  SlowestCell,
} from "@/components/endpoints";
import { Empty, Loaded, Skeleton } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";

/** The endpoints in short, or how to make the first one. */
export function EndpointRows() {
  const t = useTranslations("home.table");
  return (
    <Loaded
      query={useQuery(endpointOverviewQuery())}
      loading={<Skeleton lines={3} />}
      failure={t("failure")}
    >
      {({ first }) => (first.length > 0 ? <Table endpoints={first} /> : <NoEndpoint />)}
    </Loaded>
  );
}

function NoEndpoint() {
  const t = useTranslations("home.table");
  return (
    <Empty
      title={t("none")}
      action={
        <Link className="btn" href="/deploy?sample=iris-mlp">
          {t("noneAction")}
        </Link>
      }
    >
      {t("noneText")}
    </Empty>
  );
}

function Table({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const t = useTranslations("traffic.cells.heads");
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t("name")}</th>
          <th scope="col" className="max-tablet:hidden">
            {t("runsOn")}
          </th>
          <th scope="col" className="max-desk:hidden">
            {t("recent")}
          </th>
          <th scope="col" className="num max-tablet:hidden">
            {t("rate")}
          </th>
          <th scope="col" className="num max-tablet:hidden">
            {t("slowest")}
          </th>
          <th scope="col" className="num max-desk:hidden">
            {t("errors")}
          </th>
          <th scope="col">{t("state")}</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => (
          <Row key={endpoint.name} endpoint={endpoint} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations("home.table");
  const board = useBoardFacts(endpoint.boardModel);
  const { name } = endpoint;
  return (
    <tr>
      <td className="max-w-56">
        <Link className="row-link block truncate font-strong" href={`/endpoints/${name}`}>
          {name}
        </Link>
      </td>
      <td className="max-tablet:hidden">
        <span className={endpoint.boardKind === "cpu" ? "" : "text-copper"}>{board.name}</span>
        {endpoint.boardKind === "simulated" ? (
          <span className="label"> {t("simulated")}</span>
        ) : null}{" "}
        · {endpoint.engine}
      </td>
      <td className="max-desk:hidden">
        <RecentCell name={name} />
      </td>
      <td className="num max-tablet:hidden">
        <RateCell name={name} />
      </td>
      <td className="num max-tablet:hidden">
        <SlowestCell name={name} />
      </td>
      <td className="num max-desk:hidden">
        <ErrorCell name={name} />
      </td>
      <td>
        <EndpointState endpoint={endpoint} />
      </td>
    </tr>
  );
}
