/** BondMachine's network file of one dense layer with ReLU and one without: bytes of its JSON. */
export function networkFile(inputs: number, outputs: number): Buffer {
  const node = (Layer: number, Pos: number, Type: string, Bias = 0) => ({ Layer, Pos, Type, Bias });
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
  const edges = (Layer: number, from: number, to: number) =>
    upTo(to).flatMap((PosCurrLayer) =>
      upTo(from).map((PosPrevLayer) => ({
        ...{ Layer, PosCurrLayer, PosPrevLayer, Value: PosCurrLayer - PosPrevLayer + 0.5 },
      })),
    );
  const file = {
    Nodes: [
      ...upTo(inputs).map((at) => node(0, at, "input")),
      ...upTo(2).map((at) => node(1, at, "relu", 0.5)),
      ...upTo(outputs).map((at) => node(2, at, "summation")),
      ...upTo(outputs).map((at) => node(3, at, "output")),
    ],
    Weights: [
      ...edges(1, inputs, 2),
      ...edges(2, 2, outputs),
      ...upTo(outputs).map((at) => ({ Layer: 3, PosCurrLayer: at, PosPrevLayer: at, Value: 1 })),
    ],
  };
  return Buffer.from(JSON.stringify(file));
}
