"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useBoardFacts } from "@/components/boards";
import { endpointAppearance, endpointsQuery } from "@/components/endpoints";
import { Age, Amount, Empty, Loaded, quantityOfShare, Skeleton, StateMark } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";

/** The endpoints in short, or how to make the first one. */
export function EndpointRows() {
  return (
    <Loaded
      query={useQuery(endpointsQuery())}
      loading={<Skeleton lines={3} />}
      failure="The endpoints cannot be read."
      empty={<NoEndpoint />}
    >
      {({ items }) => <Table endpoints={items.slice(0, 6)} />}
    </Loaded>
  );
}

function NoEndpoint() {
  return (
    <Empty
      title="Nothing answers requests yet."
      action={
        <Link className="btn" href="/deploy?sample=iris-mlp">
          Deploy the sample iris-mlp
        </Link>
      }
    >
      An endpoint is an address that answers inference requests from a board or a CPU.
    </Empty>
  );
}

function Table({ endpoints }: { endpoints: readonly Endpoint[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Name</th>
          <th className="max-tablet:hidden">Runs on</th>
          <th className="num max-tablet:hidden">Agreement</th>
          <th className="max-tablet:hidden">Made</th>
          <th>State</th>
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
  const board = useBoardFacts(endpoint.boardModel);
  const agreement = endpoint.proof?.agreement ?? null;
  return (
    <tr>
      <td className="max-w-56">
        <Link className="row-link block truncate font-strong" href={`/endpoints/${endpoint.name}`}>
          {endpoint.name}
        </Link>
      </td>
      <td className="max-tablet:hidden">
        <span className={endpoint.boardKind === "cpu" ? "" : "text-copper"}>{board.name}</span>
        {endpoint.boardKind === "simulated" ? <span className="label"> simulated</span> : null} ·{" "}
        {endpoint.engine}
      </td>
      <td className="num max-tablet:hidden">
        {agreement === null ? (
          <span className="text-muted">–</span>
        ) : (
          <Amount {...quantityOfShare(agreement)} />
        )}
      </td>
      <td className="text-dense text-muted max-tablet:hidden">
        <Age time={endpoint.createdAt} />
      </td>
      <td>
        <StateMark appearance={endpointAppearance[endpoint.state]} />
      </td>
    </tr>
  );
}
