import { fail } from "@/lib/common/errors";
import { counted, quoted, shapeInWords } from "../../graph/words";
import type { Hdf5, WeightTensor } from "./hdf5";

/** A layer as its weights are found by: the name people gave it, and its class. */
export interface LayerKey {
  readonly name: string;
  readonly className: string;
}

/** The weights of one layer, in the order in which Keras made them. */
export interface LayerWeights {
  /** How many there are. */
  readonly count: number;
  /** Checks that there are as many as wanted and that each has its shape; null for one that is not looked at. */
  read(shapes: readonly (readonly number[] | null)[]): readonly Float64Array[];
  /** Those of a layer inside this one: `cell`, `forward_layer`. */
  part(name: string): LayerWeights;
  /** Those of the layers of this one, which is a model. */
  model(): ModelWeights;
}

/** Finds the weights of all layers of one model, which are given in the order of the configuration. */
export type ModelWeights = (layers: readonly LayerKey[]) => readonly LayerWeights[];

type Loader = () => WeightTensor;

function layerWeights(
  layer: string,
  loaders: readonly Loader[],
  inner: Pick<LayerWeights, "part" | "model">,
): LayerWeights {
  return {
    ...inner,
    count: loaders.length,
    read: (shapes) => {
      if (loaders.length !== shapes.length) {
        throw fail(
          loaders.length < shapes.length ? "MODEL_INVALID" : "MODEL_WEIGHT_INVALID",
          `Layer ${quoted(layer)} needs ${counted(shapes.length, "weight")}; the file has ${loaders.length} of it.`,
          { hint: "Save the whole model again with model.save()." },
        );
      }
      return loaders.map((load, index) => {
        const wanted = shapes[index] ?? null;
        if (wanted === null) return new Float64Array();
        const { shape, values } = load();
        if (shape.length !== wanted.length || shape.some((size, axis) => size !== wanted[axis])) {
          throw fail(
            "MODEL_WEIGHT_INVALID",
            `Weight ${index} of layer ${quoted(layer)} has shape ${shapeInWords(shape)}; its configuration asks for ${shapeInWords(wanted)}.`,
            { hint: "Weights and configuration are of different models; save the model again." },
          );
        }
        checkFinite(layer, index, values);
        return Float64Array.from(values);
      });
    },
  };
}

function checkFinite(layer: string, index: number, values: WeightTensor["values"]): void {
  let bad = 0;
  for (const value of values) if (!Number.isFinite(value)) bad += 1;
  if (bad === 0) return;
  throw fail(
    "MODEL_WEIGHTS_NOT_FINITE",
    `Weight ${index} of layer ${quoted(layer)} has ${counted(bad, "value")} that are NaN or infinite.`,
    { hint: "Training probably diverged: check the loss, then train and save again." },
  );
}

/**
 * Weights of a `.keras` archive: `layers/dense_1/vars/0`, where groups are named by class and position, not by the
 * layer's own name.
 */
export function archiveWeights(file: Hdf5, root = ""): ModelWeights {
  const weightsAt = (name: string, group: string): LayerWeights => {
    const loaders = [...file.names(join(group, "vars"))]
      .sort((a, b) => Number(a) - Number(b))
      .map(
        (index): Loader =>
          () =>
            present(file.tensor(join(group, `vars/${index}`)), name),
      );
    return layerWeights(name, loaders, {
      part: (part) => weightsAt(name, join(group, part)),
      model: () => archiveWeights(file, group),
    });
  };
  return (layers) => {
    // Older versions of Keras keep the layers under the name of another list.
    const list = ["layers", "_layer_checkpoint_dependencies"].find((name) =>
      file.hasGroup(join(root, name)),
    );
    const base = join(root, list ?? "layers");
    const counts = new Map<string, number>();
    return layers.map(({ name, className }) => {
      const plain = snakeCase(className);
      const before = counts.get(plain) ?? 0;
      counts.set(plain, before + 1);
      return weightsAt(name, join(base, before === 0 ? plain : `${plain}_${before}`));
    });
  };
}

const join = (root: string, name: string) => (root === "" ? name : `${root}/${name}`);

function present(tensor: WeightTensor | null, layer: string): WeightTensor {
  if (tensor) return tensor;
  throw fail("MODEL_INVALID", `A weight of layer ${quoted(layer)} is missing.`);
}

/** `BatchNormalization` → `batch_normalization`, as Keras names groups. */
export function snakeCase(className: string): string {
  return className
    .replace(/\W+/g, "")
    .replace(/(.)([A-Z][a-z]+)/g, "$1_$2")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase();
}

/**
 * Weights of a legacy `.h5` file: `model_weights/<layer>` with the paths of its weights in an attribute; those of models
 * and layers inside it lie in the same list.
 */
export function legacyWeights(file: Hdf5): ModelWeights {
  const weightsOf = (name: string, paths: readonly string[]): LayerWeights =>
    layerWeights(
      name,
      paths.map(
        (path): Loader =>
          () =>
            present(file.tensor(path), name),
      ),
      {
        part: (part) => {
          const half = paths.length / 2;
          if (part === "forward_layer") return weightsOf(name, paths.slice(0, half));
          if (part === "backward_layer") return weightsOf(name, paths.slice(half));
          const own = paths.filter((path) => path.split("/").at(-2) === part);
          if (own.length > 0 || part !== "cell") return weightsOf(name, own);
          return weightsOf(name, paths);
        },
        model: () => within(paths),
      },
    );
  const within =
    (paths: readonly string[]): ModelWeights =>
    (layers) =>
      layers.map(({ name }) =>
        weightsOf(
          name,
          paths.filter((path) => path.split("/").slice(2, -1).includes(name)),
        ),
      );
  return (layers) =>
    layers.map(({ name }) => {
      const group = `model_weights/${name}`;
      const names = file.texts(group, "weight_names") ?? [];
      return weightsOf(
        name,
        names.map((weight) => `${group}/${weight}`),
      );
    });
}
