import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { BoardView } from "@/components/board-pages";

export async function generateMetadata({
  params,
}: {
  params: Promise<{ id: string }>;
}): Promise<Metadata> {
  const [{ id }, t] = await Promise.all([params, getTranslations("boards")]);
  return { title: `${t("one")} ${id.slice(-8)}` };
}

export default async function BoardPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ tab?: string }>;
}) {
  const [{ id }, { tab }] = await Promise.all([params, searchParams]);
  return <BoardView id={decodeURIComponent(id)} tab={tab} />;
}
