import type { useTranslations } from "next-intl";
import { formatCount, formatShape, formatShare, type PictureColumn } from "@/components/ui";
import type { LayerGraph, ModelDetail } from "@/lib/common/contract";

type Texts = ReturnType<typeof useTranslations<"library.graph">>;

/** A layer as picture and table tell it. */
export interface ShownLayer {
  readonly name: string;
  readonly operator: string;
  /** Shapes that it reads, and what it makes; −1 where free. */
  readonly inShapes: readonly (readonly number[])[];
  readonly shape: readonly number[];
  readonly parameters: number;
  /** `INT8, 8 bits`, in what its numbers are stored. */
  readonly datatype: string | undefined;
  readonly bits: number | undefined;
}

/** Layers with all that is told of each, in the order of the file. */
export function shownLayers(
  { layers = [], inputs = [] }: Pick<ModelDetail, "layers" | "inputs">,
  graph: LayerGraph | undefined,
): ShownLayer[] {
  const shapeOf = (index: number) => (index < 0 ? inputs[-1 - index]?.shape : layers[index]?.shape);
  return layers.map((layer, index) => {
    const { from = [], datatype, bits } = graph?.layers[index] ?? {};
    return { ...layer, inShapes: from.flatMap((each) => [shapeOf(each) ?? []]), datatype, bits };
  });
}

/** How many layers and parameters there are, and where most of them lie. */
export function layersFinding(layers: readonly ShownLayer[], t: Texts): string {
  const parameters = layers.reduce((sum, each) => sum + each.parameters, 0);
  const [largest] = layers.toSorted((a, b) => b.parameters - a.parameters);
  if (!largest || parameters === 0) return t("empty", { count: layers.length });
  return t("finding", {
    count: layers.length,
    parameters: formatCount(parameters),
    layer: largest.name,
    share: formatShare(largest.parameters / parameters),
  });
}

/** What the table and the file tell of each layer. */
export const layerColumns = (t: Texts): PictureColumn<ShownLayer>[] => [
  { id: "name", label: t("layer"), value: ({ name }) => name },
  { id: "operator", label: t("type"), value: ({ operator }) => operator },
  {
    id: "inShapes",
    label: t("in"),
    value: ({ inShapes }) => inShapes.map((shape) => JSON.stringify(shape)).join(" "),
    show: ({ inShapes }) => (inShapes.length > 0 ? inShapes.map(formatShape).join(", ") : "–"),
  },
  {
    id: "shape",
    label: t("out"),
    value: ({ shape }) => JSON.stringify(shape),
    show: ({ shape }) => formatShape(shape),
  },
  {
    id: "parameters",
    label: t("parameters"),
    value: ({ parameters }) => parameters,
    show: ({ parameters }) => formatCount(parameters),
  },
  { id: "datatype", label: t("datatype"), value: ({ datatype }) => datatype ?? null },
  { id: "bits", label: t("bits"), value: ({ bits }) => bits ?? null },
];
