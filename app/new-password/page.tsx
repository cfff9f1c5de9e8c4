import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { NewPasswordView } from "@/components/people";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("people.reset"))("title") };
}

export default function NewPasswordPage() {
  return <NewPasswordView />;
}
