import type { Metadata } from "next";
import { BuildsTable } from "@/components/builds";

export const metadata: Metadata = { title: "Builds" };

export default async function BuildsPage({
  searchParams,
}: {
  searchParams: Promise<{ state?: string; cursor?: string }>;
}) {
  const { state, cursor } = await searchParams;
  return (
    <>
      <h1 className="mb-4">Builds</h1>
      <BuildsTable state={state} cursor={cursor} />
    </>
  );
}
