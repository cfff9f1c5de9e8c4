import { useTranslations } from "next-intl";
import { formatCount, formatShape } from "@/components/ui";
import type { ShownLayer } from "./layer-picture";

/** The layers as rows: what the picture shows, for those who read it as a table. */
export function LayerTable({ layers }: { layers: readonly ShownLayer[] }) {
  const t = useTranslations("library.graph");
  return (
    <table className="table list">
      <caption className="sr-only">{t("layers")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("layer")}</th>
          <th scope="col">{t("type")}</th>
          <th scope="col">{t("in")}</th>
          <th scope="col">{t("out")}</th>
          <th scope="col" className="num">
            {t("parameters")}
          </th>
          <th scope="col" className="num">
            {t("bits")}
          </th>
        </tr>
      </thead>
      <tbody>
        {layers.map(({ name, operator, inShapes, shape, parameters, datatype, bits }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of a file never changes
          <tr key={index}>
            <td className="list-title">
              <code className="break-all">{name}</code>
            </td>
            <td className="list-line" data-label={t("type")}>
              {operator}
            </td>
            <td className="list-line" data-label={t("in")}>
              {inShapes.length > 0 ? inShapes.map(formatShape).join(", ") : "–"}
            </td>
            <td className="list-line" data-label={t("out")}>
              {formatShape(shape)}
            </td>
            <td className="list-line num" data-label={t("parameters")}>
              {formatCount(parameters)}
            </td>
            <td className="list-line num" data-label={t("bits")} title={datatype}>
              {bits ?? "–"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
