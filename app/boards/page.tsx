import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { BoardsPage } from "@/components/board-pages";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("boards"))("title") };
}

export default function BoardsRoute() {
  return <BoardsPage />;
}
