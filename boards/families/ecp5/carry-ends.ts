/** Ports of the carry cell but the carry that leaves it. */
const inputs = ["CIN", "A0", "B0", "C0", "D0", "A1", "B1", "C1", "D1"];
const others = [...inputs, "S0", "S1"];
const parameters = ["INIT0", "INIT1", "INJECT1_0", "INJECT1_1"];
const passed = (names: readonly string[]) => names.map((name) => `.${name}(${name})`).join(", ");

/** A carry cell at the end of its chain, which nothing reads the carry of. */
const header = `module CARRY_END (input ${inputs.join(", ")}, COUT, output S0, S1);
${parameters.map((name) => `  parameter ${name} = 0;\n`).join("")}`;

/** As it is simulated: nothing reads its carry, so the port leads nowhere. */
export const carryEndModel = `${header}\
  CCU2C #(${passed(parameters)}) carry (${passed(others)});
endmodule
`;

/**
 * Lines of Yosys that leave the carry of a chain's last cell open where nothing reads it. Mapping leaves a wire there, and
 * for it nextpnr-ecp5 0.11 places a carry cell more behind the chain (two of its logic cells) that brings it out.
 * Measured: `npm run bench -- compiler ecp5`.
 */
export const freeCarryEnds = `\
select -set carries t:CCU2C %co1:+[COUT] w:* %i
splitnets @carries
select -set carries t:CCU2C %co1:+[COUT] w:* %i
select -set read t:* %ci1 w:* %i o:* %u
chtype -set CARRY_END @carries @read %d %ci1:+[COUT] t:CCU2C %i
design -stash mapped
read_verilog -noblackbox <<END
${header}\
  (* carry_end *) CCU2C #(${passed(parameters)}) _TECHMAP_REPLACE_ (${passed(others)}, .COUT(1'bx));
endmodule
END
design -stash carry_ends
design -load mapped
techmap -map %carry_ends t:CARRY_END
clean`;

/** The line of Yosys that gives those cells their model. */
export const modelCarryEnds = "chtype -set CARRY_END t:CCU2C a:carry_end %i";
