type Bits = readonly (number | string)[];

export interface HandCell {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, number | string>>;
  readonly connections: Readonly<Record<string, Bits>>;
}

export interface HandModule {
  readonly inputs?: Readonly<Record<string, Bits>>;
  readonly outputs?: Readonly<Record<string, Bits>>;
  readonly cells?: Readonly<Record<string, HandCell>>;
  readonly nets?: Readonly<Record<string, { bits: Bits; init?: string }>>;
}

/** A netlist with one module `top`, in the form of Yosys' `write_json`, for tests that need no Yosys. */
export function handNetlist({ inputs = {}, outputs = {}, cells = {}, nets = {} }: HandModule) {
  const ports = Object.fromEntries([
    ...Object.entries(inputs).map(([name, bits]) => [name, { direction: "input", bits }]),
    ...Object.entries(outputs).map(([name, bits]) => [name, { direction: "output", bits }]),
  ]);
  const netnames = Object.fromEntries([
    ...Object.entries({ ...inputs, ...outputs }).map(([name, bits]) => [
      name,
      { bits, attributes: {} },
    ]),
    ...Object.entries(nets).map(([name, { bits, init }]) => [
      name,
      { bits, attributes: init === undefined ? {} : { init } },
    ]),
  ]);
  const written = Object.entries(cells).map(([name, { type, parameters = {}, connections }]) => [
    name,
    {
      type,
      connections,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([key, value]) => [
          key,
          typeof value === "number" ? value.toString(2).padStart(32, "0") : value,
        ]),
      ),
    },
  ]);
  return { modules: { top: { ports, cells: Object.fromEntries(written), netnames } } };
}

/** Net bits `from`, `from + 1`, … */
export const bus = (from: number, width: number): number[] =>
  Array.from({ length: width }, (_, index) => from + index);
