/** A test row of a sample model with its label, from the sample's `test.csv`. */
export interface KnownRow {
  readonly sample: string;
  /** Name of the input tensor. */
  readonly input: string;
  readonly row: readonly number[];
  /** The class it must get: its place among the model's classes. */
  readonly label: number;
}

/** The first test row of three samples: what goes in, and the answer that is right. */
export const knownRows = {
  digits: {
    sample: "digits-mlp",
    input: "pixels",
    // biome-ignore format: a row is a row
    row: [0, 0, 0, 0.9375, 0.75, 0.0625, 0, 0, 0, 0, 0.3125, 1, 1, 0.375, 0, 0, 0, 0, 0.125, 1, 1, 0.1875, 0, 0, 0, 0, 0.125, 1, 1, 0.0625, 0, 0, 0, 0, 0.375, 1, 0.8125, 0, 0, 0, 0, 0, 0.0625, 1, 1, 0.125, 0, 0, 0, 0, 0.1875, 1, 0.9375, 0.1875, 0, 0, 0, 0, 0, 0.9375, 1, 0.0625, 0, 0],
    label: 1,
  },
  iris: {
    sample: "iris-mlp",
    input: "features",
    // biome-ignore format: a row is a row
    row: [4.4, 3, 1.3, 0.2],
    label: 0,
  },
  banknote: {
    sample: "banknote-mlp",
    input: "features",
    // biome-ignore format: a row is a row
    row: [-2.5422378, -2.2061489, 3.4157295, -2.6436062],
    label: 1,
  },
} as const satisfies Record<string, KnownRow>;
