import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Gallery } from "@/components/design";

export const metadata: Metadata = { title: "Design" };

/** Tokens and every component in each state; a page for developers only. */
export default function DesignPage() {
  // biome-ignore lint/style/noProcessEnv: Next.js replaces it while building, so production has no gallery
  if (process.env.NODE_ENV === "production") notFound();
  return <Gallery />;
}
