import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SignInReturnView } from "@/components/people";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("people.signIn"))("title") };
}

export default function SignInReturnPage() {
  return <SignInReturnView />;
}
