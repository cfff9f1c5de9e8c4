import type { Metadata } from "next";
import Link from "next/link";
import { EndpointsList } from "@/components/endpoints";

export const metadata: Metadata = { title: "Endpoints" };

export default function EndpointsPage() {
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <h1>Endpoints</h1>
        <Link className="btn btn-primary" href="/deploy">
          Deploy a model
        </Link>
      </div>
      <EndpointsList />
    </>
  );
}
