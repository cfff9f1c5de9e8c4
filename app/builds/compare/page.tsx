import type { Metadata } from "next";
import { CompareView, idsOf } from "@/components/builds";

export const metadata: Metadata = { title: "Compare builds" };

export default async function ComparePage({
  searchParams,
}: {
  searchParams: Promise<{ ids?: string }>;
}) {
  const { ids } = await searchParams;
  return (
    <>
      <h1 className="mb-4">Compare builds</h1>
      <CompareView ids={idsOf(ids)} />
    </>
  );
}
