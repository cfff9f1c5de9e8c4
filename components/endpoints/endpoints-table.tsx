"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useBoardTitle } from "@/components/boards";
import {
  Age,
  CopyButton,
  Empty,
  Loaded,
  Skeleton,
  StateMark,
  shortDigest,
  useOrigin,
} from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { endpointsQuery } from "./api";
import { endpointAppearance } from "./appearance";
import { EndpointActions } from "./endpoint-actions";

/** All endpoints: what answers where, with which artifact, since when. */
export function EndpointsTable() {
  return (
    <Loaded
      query={useQuery(endpointsQuery())}
      loading={<Skeleton lines={6} />}
      failure="The endpoints cannot be read."
      empty={<NoEndpoint />}
    >
      {({ items }) => <Table endpoints={items} />}
    </Loaded>
  );
}

function NoEndpoint() {
  const origin = useOrigin();
  return (
    <Empty
      title="No endpoint yet."
      action={
        <Link className="btn btn-primary" href="/deploy?sample=iris-mlp">
          Deploy the sample iris-mlp
        </Link>
      }
      command={`curl -sS ${origin}/api/v1/endpoints -H 'Content-Type: application/json' -d '{"name":"iris","engine":"boardwalk","model":{"url":"s3://boardwalk-samples/iris-mlp/model.onnx"},"board":{"model":"icebreaker","kind":"simulated"}}'`}
    >
      An endpoint is an address that answers inference requests from a board or a CPU. The line
      below makes one from a shell.
    </Empty>
  );
}

function Table({ endpoints }: { endpoints: readonly Endpoint[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Name</th>
          <th className="max-tablet:hidden">Service type</th>
          <th className="max-desk:hidden">API</th>
          <th className="max-tablet:hidden">URL</th>
          <th className="max-desk:hidden">Artifact</th>
          <th className="max-tablet:hidden">Board</th>
          <th className="num max-desk:hidden">Age</th>
          <th>State</th>
          <th>
            <span className="sr-only">Actions</span>
          </th>
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
  const board = useBoardTitle(endpoint.boardModel, endpoint.boardKind);
  const { name, url, artifactDigest } = endpoint;
  return (
    <tr>
      <td className="max-w-56">
        <Link className="row-link block truncate font-strong" href={`/endpoints/${name}`}>
          {name}
        </Link>
        <span className="block truncate text-dense text-muted tablet:hidden">{board}</span>
      </td>
      <td className="text-dense max-tablet:hidden">{endpoint.engine}</td>
      <td className="text-dense max-desk:hidden">{endpoint.apiVersion}</td>
      <td className="max-tablet:hidden">
        <CopyButton text={url} label={`Copy the address of ${name}`}>
          <code className="inline-block max-w-64 truncate align-bottom" title={url}>
            {new URL(url).host}/…/{name}
          </code>
        </CopyButton>
      </td>
      <td className="max-desk:hidden">
        {artifactDigest ? (
          <CopyButton text={artifactDigest} label={`Copy the digest of ${name}`}>
            <code title={artifactDigest}>{shortDigest(artifactDigest)}</code>
          </CopyButton>
        ) : (
          <span className="px-2 text-muted">–</span>
        )}
      </td>
      <td className={`max-tablet:hidden ${endpoint.boardKind === "cpu" ? "" : "text-copper"}`}>
        {board}
      </td>
      <td className="num text-dense text-muted max-desk:hidden">
        <Age time={endpoint.createdAt} />
      </td>
      <td>
        <StateMark appearance={endpointAppearance[endpoint.state]} />
      </td>
      <td>
        <EndpointActions endpoint={endpoint} form="row" />
      </td>
    </tr>
  );
}
