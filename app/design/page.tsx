import type { Metadata } from "next";
import { Gallery } from "@/components/design";

export const metadata: Metadata = { title: "Design" };

/** Tokens and every component in each state. */
export default function DesignPage() {
  return <Gallery />;
}
