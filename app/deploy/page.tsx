import type { Metadata } from "next";
import { DeployScreen } from "@/components/deploy";
import { gatewayUrl } from "../gateway-url";

export const metadata: Metadata = { title: "Deploy a model" };

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
      }}
    />
  );
}
