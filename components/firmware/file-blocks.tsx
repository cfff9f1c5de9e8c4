import { useTranslations } from "next-intl";
import {
  Amount,
  CopyButton,
  formatBytes,
  Picture,
  quantityOfBytes,
  shortDigest,
} from "@/components/ui";
import type { ArtifactDetail } from "@/lib/common/contract";
import { fileUrl } from "./api";

const hues = 8;

/** The files of an artifact by role: as blocks, each as wide as it is large, and as a table to take them from. */
export function FileBlocks({ artifact: { digest, manifest } }: { artifact: ArtifactDetail }) {
  const t = useTranslations("firmware");
  const files = manifest.files.toSorted((a, b) => b.sizeBytes - a.sizeBytes);
  const hueOf = (index: number) => `var(--hue-${index % hues})`;
  return (
    <>
      <div className="mb-3">
        <Picture
          title={t("files.finding", {
            total: formatBytes(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)),
            role: files[0] ? t(`roles.${files[0].role}`) : "–",
          })}
          summary={t("files.picture")}
          file="files"
          rows={files}
          columns={[
            {
              id: "role",
              label: t("files.role"),
              value: ({ role }) => role,
              show: ({ role }) => t(`roles.${role}`),
            },
            { id: "name", label: t("files.name"), value: ({ name }) => name },
            {
              id: "sizeBytes",
              label: t("files.size"),
              value: ({ sizeBytes }) => sizeBytes,
              show: ({ sizeBytes }) => formatBytes(sizeBytes),
            },
            { id: "digest", label: t("files.digest"), value: (file) => file.digest },
          ]}
        >
          <div className="flex h-6 gap-px overflow-hidden rounded-control">
            {files.map(({ role, name, sizeBytes }, index) => (
              <i
                key={`${role} ${name}`}
                data-point={index}
                className="block h-full min-w-1"
                style={{ flexGrow: sizeBytes, background: hueOf(index) }}
              />
            ))}
          </div>
        </Picture>
      </div>
      <table className="table list">
        <caption className="sr-only">{t("files.title")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("files.role")}</th>
            <th scope="col">{t("files.name")}</th>
            <th scope="col" className="num">
              {t("files.size")}
            </th>
            <th scope="col">{t("files.digest")}</th>
            <th scope="col">
              <span className="sr-only">{t("files.download")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ role, name, digest: fileDigest, sizeBytes }, index) => (
            <tr key={`${role} ${name}`}>
              <td className="list-title">
                <span className="inline-flex items-center gap-2">
                  <i
                    aria-hidden="true"
                    className="size-2.5 flex-none rounded-[2px]"
                    style={{ background: hueOf(index) }}
                  />
                  {t(`roles.${role}`)}
                </span>
              </td>
              <td className="list-line" data-label={t("files.name")}>
                <code className="break-all">{name}</code>
              </td>
              <td className="list-line num" data-label={t("files.size")}>
                <Amount {...quantityOfBytes(sizeBytes)} />
              </td>
              <td className="list-line" data-label={t("files.digest")}>
                <code title={fileDigest}>{shortDigest(fileDigest)}</code>{" "}
                <CopyButton text={fileDigest} label={t("digest")} />
              </td>
              <td className="list-line" data-label={t("files.download")}>
                <a
                  href={fileUrl(digest, role)}
                  download
                  aria-label={t("files.downloadOf", { name })}
                >
                  {t("files.download")}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
