import type { Metadata } from "next";
import {
  BuildsList,
  ImportArtifact,
  QueuePanel,
  TrendPanel,
  WorkerNotice,
} from "@/components/builds";

export const metadata: Metadata = { title: "Builds" };

export default function BuildsPage() {
  return (
    <>
      <header className="mb-4 flex flex-wrap items-start justify-between gap-4">
        <h1>Builds</h1>
        <ImportArtifact />
      </header>
      <WorkerNotice />
      <div className="mb-8 grid gap-x-10 gap-y-6 tablet:grid-cols-2 desk:grid-cols-[minmax(0,1fr)_300px_280px]">
        <TrendPanel />
        <QueuePanel />
      </div>
      <BuildsList />
    </>
  );
}
