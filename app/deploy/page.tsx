import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { DeployScreen } from "@/components/deploy";
import { gatewayUrl } from "../gateway-url";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("deploy"))("title") };
}

export default async function DeployPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const one = (name: string) => [query[name]].flat()[0];
  return (
    <DeployScreen
      gatewayUrl={gatewayUrl()}
      start={{
        sample: one("sample"),
        model: one("model"),
        engine: one("engine"),
        board: one("board"),
        options: one("options"),
        endpoint: one("endpoint"),
        revision: one("revision"),
        build: one("build"),
        recipe: one("recipe"),
      }}
    />
  );
}
