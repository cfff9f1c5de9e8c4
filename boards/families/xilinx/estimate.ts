/** Tables that a cell takes; of block RAM, halves of 36 kbit. Sources: AMD UG474, UG574 and UG473. */
const tables: Readonly<Record<string, number>> = {
  ...{ LUT1: 1, LUT2: 1, LUT3: 1, LUT4: 1, LUT5: 1, LUT6: 1, INV: 1 },
  ...{ SRL16E: 1, SRLC32E: 1, RAM32X1D: 2, RAM64X1D: 2 },
  ...{ RAM32M: 4, RAM64M: 4, RAM32M16: 8, RAM64M8: 8 },
};
const halves: Readonly<Record<string, number>> = {
  RAMB18E1: 1,
  RAMB18E2: 1,
  RAMB36E1: 2,
  RAMB36E2: 2,
};

/** Yosys's cells in the units of the part: LUT6, flip-flops, block RAM of 36 kbit, DSP slices. */
export function estimate(cells: Readonly<Record<string, number>>): Record<string, number> {
  const sum = (weightOf: (type: string) => number) =>
    Object.entries(cells).reduce((total, [type, count]) => total + weightOf(type) * count, 0);
  return {
    lut: sum((type) => tables[type] ?? 0),
    ff: sum((type) => (/^FD[RS]E$/.test(type) ? 1 : 0)),
    bram: Math.ceil(sum((type) => halves[type] ?? 0) / 2),
    dsp: sum((type) => (/^DSP48E[12]$/.test(type) ? 1 : 0)),
  };
}
