import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { InvitationView } from "@/components/people";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("people.invitation"))("title") };
}

export default function InvitationPage() {
  return <InvitationView />;
}
