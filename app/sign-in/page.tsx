import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { SignInView } from "@/components/people";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("people.signIn"))("title") };
}

export default function SignInPage() {
  return (
    <Suspense>
      <SignInView />
    </Suspense>
  );
}
