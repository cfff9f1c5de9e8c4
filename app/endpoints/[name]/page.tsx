import type { Metadata } from "next";
import { EndpointView } from "@/components/endpoints";

export async function generateMetadata({
  params,
}: {
  params: Promise<{ name: string }>;
}): Promise<Metadata> {
  return { title: (await params).name };
}

export default async function EndpointPage({
  params,
  searchParams,
}: {
  params: Promise<{ name: string }>;
  searchParams: Promise<{ tab?: string }>;
}) {
  const [{ name }, { tab }] = await Promise.all([params, searchParams]);
  return <EndpointView name={decodeURIComponent(name)} tab={tab} />;
}
