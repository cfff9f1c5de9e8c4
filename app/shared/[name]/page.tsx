import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SharedEndpoint } from "@/components/shared-endpoint";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("links.page"))("title") };
}

export default async function SharedPage({ params }: { params: Promise<{ name: string }> }) {
  return <SharedEndpoint name={decodeURIComponent((await params).name)} />;
}
