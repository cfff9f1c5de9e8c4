/**
 * Yosys's cells in the units of the part: adaptive logic modules, flip-flops, blocks of 10 kbit, DSP blocks. A module holds
 * one table of six inputs, or two smaller ones, or two bits of an adder; ten make 20 words of 32 bits; a DSP block two
 * products of 18 bits, or three of 9. Source: Intel CV-5V2, logic array blocks, embedded memory and DSP blocks.
 */
export function estimate(cells: Readonly<Record<string, number>>): Record<string, number> {
  const count = (...types: string[]) =>
    types.reduce((sum, type) => sum + (cells[`MISTRAL_${type}`] ?? 0), 0);
  const halves = count("ALUT2", "ALUT3", "ALUT4", "ALUT5", "NOT", "BUF", "ALUT_ARITH", "MLAB");
  return {
    lut: count("ALUT6") + Math.ceil(halves / 2),
    ff: count("FF"),
    bram: count("M10K"),
    dsp: count("MUL27X27") + Math.ceil(count("MUL18X18") / 2) + Math.ceil(count("MUL9X9") / 3),
  };
}
