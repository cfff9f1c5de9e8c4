"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useBoardTitles } from "@/components/boards";
import {
  CopyButton,
  Loaded,
  modelTitle,
  PathLine,
  ResourceBars,
  Section,
  Skeleton,
  StateButton,
  type Stations,
  shortDigest,
  ToneIcon,
} from "@/components/ui";
import type { ArtifactDetail } from "@/lib/common/contract";
import { archiveUrl, artifactQuery } from "./api";
import { useProofAppearance } from "./appearance";
import { FileBlocks } from "./file-blocks";
import { FirmwareFacts, ProofWords, SignatureWords, UseTable } from "./firmware-facts";
import { PinFirmware } from "./pin-firmware";
import { PinMark } from "./pin-mark";

const DeleteFirmware = dynamic(
  () => import("./delete-firmware").then((module) => module.DeleteFirmware),
  { ssr: false },
);

/** One artifact: what it is, how far it was proven, who signed it, what is in it and who needs it. */
export function FirmwareView({ digest }: { digest: string }) {
  const t = useTranslations("firmware");
  return (
    <Loaded
      query={useQuery(artifactQuery(digest))}
      loading={<Skeleton lines={10} height={28} />}
      failure={t("unreadable")}
      around={(note) => (
        <>
          <h1 className="mb-4 break-all">{shortDigest(digest)}</h1>
          {note}
          <p className="mt-4">
            <Link href="/firmware">{t("all")}</Link>
          </p>
        </>
      )}
    >
      {(artifact) => <LoadedFirmware artifact={artifact} />}
    </Loaded>
  );
}

function LoadedFirmware({ artifact }: { artifact: ArtifactDetail }) {
  const t = useTranslations("firmware");
  return (
    <>
      <PathLine here={1} done={artifact.uses.length > 0 ? 4 : 2} stations={useStations(artifact)} />
      <Header artifact={artifact} />
      <Warning artifact={artifact} />
      <div className="grid gap-x-12 desk:grid-cols-2">
        <FirmwareFacts artifact={artifact} />
        <div>
          <ProofWords artifact={artifact} />
          <SignatureWords artifact={artifact} />
        </div>
      </div>
      {artifact.resources.length > 0 ? (
        <Section id="resources" title={t("resources")}>
          <ResourceBars resources={artifact.resources} isWide />
        </Section>
      ) : null}
      <Section title={t("files.title")} id="files">
        <FileBlocks artifact={artifact} />
      </Section>
      <UseTable artifact={artifact} />
      <Manifest artifact={artifact} />
    </>
  );
}

function useStations({ model, digest, manifest, uses }: ArtifactDetail): Stations {
  const titleOf = useBoardTitles();
  const serving = uses.find(({ role }) => role === "serves") ?? uses[0];
  return [
    {
      label: modelTitle(model.url, model.name),
      href: model.id ? `/models/${model.id}` : undefined,
    },
    { label: shortDigest(digest), mono: true },
    { label: titleOf(manifest.boardModel, ""), href: `/boards#${manifest.boardModel}` },
    serving ? { label: serving.endpoint, href: `/endpoints/${serving.endpoint}` } : { label: "–" },
  ];
}

function Header({ artifact }: { artifact: ArtifactDetail }) {
  const t = useTranslations("firmware");
  const titleOf = useBoardTitles();
  const appearance = useProofAppearance()[artifact.state];
  const [deleting, setDeleting] = useState(false);
  const { digest, manifest, model, buildId } = artifact;
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1>
          {t("heading", {
            model: modelTitle(model.url, model.name),
            board: titleOf(manifest.boardModel, ""),
          })}
        </h1>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-dense text-muted">
          <StateButton appearance={appearance} /> · {artifact.pinnedAt ? <PinMark /> : null}
          {artifact.pinnedAt ? " · " : null}
          <Link href={`/builds/${buildId}`}>{t("openBuild")}</Link>
        </p>
        <p className="mt-1 flex flex-wrap items-center text-dense">
          <code className="break-all">{digest}</code>
          <CopyButton text={digest} label={t("digest")} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {artifact.state === "damaged" || artifact.state === "refused" ? null : (
          <Link className="btn btn-primary" href={`/deploy?build=${buildId}`}>
            {t("deploy")}
          </Link>
        )}
        <a className="btn" href={archiveUrl(digest)} download>
          {t("export")}
        </a>
        {manifest.kind === "firmware" ? (
          <Link className="btn" href={`/builds/compare?ids=${buildId}`}>
            {t("compare")}
          </Link>
        ) : null}
        <PinFirmware artifact={artifact} />
        <button type="button" className="btn btn-danger" onClick={() => setDeleting(true)}>
          {t("delete")}
        </button>
      </div>
      {deleting ? <DeleteFirmware artifact={artifact} onClose={() => setDeleting(false)} /> : null}
    </header>
  );
}

/** Said first and in red: what must not be loaded. */
function Warning({
  artifact: { state, damagedAt, refused, buildId },
}: {
  artifact: ArtifactDetail;
}) {
  const t = useTranslations("firmware");
  if (state !== "damaged" && state !== "refused") return null;
  return (
    <div role="alert" className="mb-8 max-w-[68ch] border-l-2 border-bad py-1 pl-4">
      <p className="flex items-baseline gap-2 font-strong text-bad">
        <ToneIcon tone="bad" />
        {t(state === "damaged" ? "damagedTitle" : "refusedTitle")}
      </p>
      <p className="mt-1 break-words">
        {state === "damaged" ? t("damagedText", { time: damagedAt?.slice(0, 10) ?? "" }) : refused}
      </p>
      <p className="mt-1">
        <Link href={`/builds/${buildId}`}>{t("openBuild")}</Link>
      </p>
    </div>
  );
}

function Manifest({ artifact: { manifest } }: { artifact: ArtifactDetail }) {
  const t = useTranslations("firmware.manifest");
  const text = JSON.stringify(manifest, null, 2);
  return (
    <Section title={t("title")} aside={<CopyButton text={text}>{t("copy")}</CopyButton>}>
      <details>
        <summary className="cursor-pointer text-dense text-muted">{t("show")}</summary>
        <section
          aria-label={t("title")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          tabIndex={0}
          className="well mt-2 max-h-96 overflow-auto p-3"
        >
          <pre className="text-label">{text}</pre>
        </section>
      </details>
    </Section>
  );
}
