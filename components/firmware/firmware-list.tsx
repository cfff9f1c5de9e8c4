"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { ListPage, type SavedView } from "@/components/lists";
import { afterLoad, Empty, modelTitle, shortDigest } from "@/components/ui";
import { type ListedArtifact, proofStates } from "@/lib/common/contract";
import { artifactCountsQuery, artifactsQuery } from "./api";
import { useProofAppearance } from "./appearance";
import { useFirmwareColumns } from "./firmware-columns";

/** Its dialog is loaded after the list. */
const BulkFirmware = dynamic(
  () => afterLoad(() => import("./bulk-firmware")).then((module) => module.BulkFirmware),
  {
    ssr: false,
  },
);

const sorts = ["-created", "created", "size", "-size", "clock", "-clock"] as const;

const nameOf = ({ modelUrl, modelName, digest }: ListedArtifact) =>
  `${modelTitle(modelUrl, modelName)}, ${shortDigest(digest)}`;
const idOf = ({ digest }: ListedArtifact) => digest;

/** All firmware of the project, newest first if nothing else is asked. */
export function FirmwareList() {
  const t = useTranslations("firmware");
  const views = useMemo<readonly SavedView[]>(
    () => [
      { name: t("views.unused"), query: "state=damaged&state=refused" },
      { name: t("views.large"), query: "sort=-size" },
      { name: t("views.today"), query: "since=24h" },
    ],
    [t],
  );
  return (
    <ListPage
      noun="artifact"
      api="/api/v1/artifacts"
      states={proofStates}
      sorts={sorts}
      appearance={useProofAppearance()}
      pageOf={artifactsQuery}
      countsOf={artifactCountsQuery}
      columns={useFirmwareColumns()}
      idOf={idOf}
      nameOf={nameOf}
      placeholder={t("placeholder")}
      views={views}
      first={<NoFirmware />}
      bulk={(selection) => <BulkFirmware selection={selection} nameOf={nameOf} />}
    />
  );
}

function NoFirmware() {
  const t = useTranslations("firmware.empty");
  return (
    <Empty
      title={t("title")}
      action={
        <Link className="btn btn-primary" href="/deploy">
          {t("action")}
        </Link>
      }
      command={`curl -sS -F file=@artifact.tar ${"$BOARDWALK_URL"}/api/v1/artifacts`}
    >
      {t("text")}
    </Empty>
  );
}
