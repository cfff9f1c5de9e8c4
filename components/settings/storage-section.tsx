"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useBoardTitles } from "@/components/boards";
import {
  Amount,
  formatBytes,
  formatCount,
  Loaded,
  modelTitle,
  quantityOfBytes,
  Section,
  Skeleton,
  shortDigest,
} from "@/components/ui";
import type { StorageUse } from "@/lib/common/contract";
import { storageQuery } from "./api";

/** What takes room, what is largest, and what nothing needs. */
export function StorageSection() {
  const t = useTranslations("settings.storage");
  return (
    <>
      <p className="mb-6 max-w-prose text-muted">{t("intro")}</p>
      <Loaded
        query={useQuery(storageQuery())}
        loading={<Skeleton lines={8} height={28} />}
        failure={t("unreadable")}
      >
        {(use) => (
          <>
            <Kinds kinds={use.kinds} />
            <Section title={t("free")} id="free">
              <p>
                {t("unused", {
                  count: use.unused.artifacts,
                  size: formatBytes(use.unused.bytes),
                })}{" "}
                <Link href="/firmware?sort=-size">{t("look")}</Link>
              </p>
              <p className="mt-1">
                {t("archived", {
                  count: use.archivedModels.models,
                  size: formatBytes(use.archivedModels.bytes),
                })}{" "}
                <Link href="/models?state=archived">{t("models")}</Link>
              </p>
            </Section>
            <Section title={t("largest")} id="largest">
              <Largest rows={use.largest} />
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

function Kinds({ kinds }: Pick<StorageUse, "kinds">) {
  const t = useTranslations("settings.storage");
  return (
    <table className="table mb-10 max-w-[640px]">
      <thead>
        <tr>
          <th scope="col">{t("kind")}</th>
          <th scope="col" className="num">
            {t("objects")}
          </th>
          <th scope="col" className="num">
            {t("bytes")}
          </th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, bytes, objects }) => (
          <tr key={kind} data-kind={kind}>
            <td>{t(`kinds.${kind}`)}</td>
            <td className="num">{formatCount(objects)}</td>
            <td className="num">
              <Amount {...quantityOfBytes(bytes)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Largest({ rows }: { rows: StorageUse["largest"] }) {
  const t = useTranslations("settings.storage");
  const titleOf = useBoardTitles();
  if (rows.length === 0) return <p className="text-muted">{t("none")}</p>;
  return (
    <table className="table max-w-[840px]">
      <thead>
        <tr>
          <th scope="col">{t("firmware")}</th>
          <th scope="col" className="max-tablet:hidden">
            {t("board")}
          </th>
          <th scope="col" className="num">
            {t("usedBy")}
          </th>
          <th scope="col" className="num">
            {t("size")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ digest, modelUrl, boardModel, sizeBytes, usedBy }) => (
          <tr key={digest}>
            <td>
              <Link className="row-link" href={`/firmware/${digest}`}>
                {modelTitle(modelUrl)}
              </Link>
              <code className="block text-dense text-muted">{shortDigest(digest)}</code>
            </td>
            <td className="max-tablet:hidden">{titleOf(boardModel, "")}</td>
            <td className="num">{formatCount(usedBy)}</td>
            <td className="num">
              <Amount {...quantityOfBytes(sizeBytes)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
