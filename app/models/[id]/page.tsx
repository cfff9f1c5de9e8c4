import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ModelView } from "@/components/library";

interface Props {
  readonly params: Promise<{ id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("library"))("one") };
}

export default async function ModelPage({ params }: Props) {
  return <ModelView id={(await params).id} />;
}
