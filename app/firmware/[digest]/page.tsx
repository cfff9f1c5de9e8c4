import type { Metadata } from "next";
import { FirmwareView } from "@/components/firmware";

interface Props {
  readonly params: Promise<{ digest: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { digest } = await params;
  return { title: `Firmware ${decodeURIComponent(digest).slice(7, 15)}` };
}

export default async function FirmwareDetailPage({ params }: Props) {
  return <FirmwareView digest={decodeURIComponent((await params).digest)} />;
}
