"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { ListPage, type SavedView } from "@/components/lists";
import { Empty, useOrigin } from "@/components/ui";
import { type Endpoint, endpointStateSchema } from "@/lib/common/contract";
import { endpointCountsQuery, endpointsPageQuery } from "./api";
import { endpointAppearance } from "./appearance";
import { endpointColumns } from "./endpoint-columns";

/** Its dialogs are loaded after the list. */
const BulkEndpoints = dynamic(
  () => import("./bulk-endpoints").then((module) => module.BulkEndpoints),
  { ssr: false },
);

const sorts = ["name", "-name", "state", "-state", "created", "-created"] as const;

const views: readonly SavedView[] = [
  { name: "Ready", query: "state=ready" },
  { name: "Needs a look", query: "state=failed&state=degraded" },
  { name: "Newest", query: "sort=-created" },
];

const nameOf = ({ name }: Endpoint) => name;

/** All endpoints: what answers where, since when, and what can be done to each. */
export function EndpointsList() {
  return (
    <ListPage
      noun="endpoint"
      api="/api/v1/endpoints"
      states={endpointStateSchema.options}
      sorts={sorts}
      appearance={endpointAppearance}
      pageOf={endpointsPageQuery}
      countsOf={endpointCountsQuery}
      columns={endpointColumns}
      idOf={nameOf}
      nameOf={nameOf}
      placeholder="Search names and models"
      views={views}
      first={<NoEndpoint />}
      bulk={(selection) => <BulkEndpoints selection={selection} />}
    />
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
