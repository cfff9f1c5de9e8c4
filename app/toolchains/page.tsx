import type { Metadata } from "next";
import { ToolchainsPage } from "@/components/toolchains";

export const metadata: Metadata = { title: "Toolchains" };

export default function ToolchainsRoute() {
  return <ToolchainsPage />;
}
