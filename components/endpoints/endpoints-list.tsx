"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { ListPage } from "@/components/lists";
import { afterLoad, Empty, useOrigin } from "@/components/ui";
import { type Endpoint, endpointStateSchema } from "@/lib/common/contract";
import { endpointCountsQuery, endpointsPageQuery } from "./api";
import { useEndpointAppearance } from "./appearance";
import { useEndpointColumns } from "./endpoint-columns";

/** Its dialogs are loaded after the list. */
const BulkEndpoints = dynamic(
  () => afterLoad(() => import("./bulk-endpoints")).then((module) => module.BulkEndpoints),
  { ssr: false },
);

const sorts = ["name", "-name", "state", "-state", "created", "-created"] as const;

const nameOf = ({ name }: Endpoint) => name;

/** All endpoints: what answers where, since when, and what can be done to each. */
export function EndpointsList() {
  const t = useTranslations("endpoints.list");
  return (
    <ListPage
      noun="endpoint"
      api="/api/v1/endpoints"
      states={endpointStateSchema.options}
      sorts={sorts}
      appearance={useEndpointAppearance()}
      pageOf={endpointsPageQuery}
      countsOf={endpointCountsQuery}
      columns={useEndpointColumns()}
      idOf={nameOf}
      nameOf={nameOf}
      placeholder={t("search")}
      views={[
        { name: t("views.ready"), query: "state=ready" },
        { name: t("views.attention"), query: "state=failed&state=degraded" },
        { name: t("views.newest"), query: "sort=-created" },
      ]}
      first={<NoEndpoint />}
      bulk={(selection) => <BulkEndpoints selection={selection} />}
    />
  );
}

function NoEndpoint() {
  const t = useTranslations("endpoints.list.empty");
  const origin = useOrigin();
  return (
    <Empty
      title={t("title")}
      action={
        <Link className="btn btn-primary" href="/deploy?sample=iris-mlp">
          {t("deploy", { sample: "iris-mlp" })}
        </Link>
      }
      command={`curl -sS ${origin}/api/v1/endpoints -H 'Content-Type: application/json' -d '{"name":"iris","engine":"boardwalk","model":{"url":"s3://boardwalk-samples/iris-mlp/model.onnx"},"board":{"model":"icebreaker","kind":"simulated"}}'`}
    >
      {t("text")}
    </Empty>
  );
}
