import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { BuildView } from "@/components/builds";

export async function generateMetadata({
  params,
}: {
  params: Promise<{ id: string }>;
}): Promise<Metadata> {
  const { id } = await params;
  return { title: (await getTranslations("builds.page"))("heading", { id: id.slice(-8) }) };
}

export default async function BuildPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ attempt?: string }>;
}) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  const attempt = Number(query.attempt);
  return <BuildView id={id} attempt={Number.isInteger(attempt) && attempt > 0 ? attempt : null} />;
}
