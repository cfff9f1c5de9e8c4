import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ToolchainsPage } from "@/components/toolchains";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("toolchains"))("title") };
}

export default function ToolchainsRoute() {
  return <ToolchainsPage />;
}
