/**
 * What tools say when something is wrong, by which we know it again: the first that fits a line that is a warning or an error.
 * What each means and what to change is in the texts of the pages, `builds.problems.<id>`.
 */
export const problemPatterns = [
  // Yosys
  { id: "yosysSyntax", tool: "Yosys", test: /syntax error/i },
  { id: "yosysNoModule", tool: "Yosys", test: /Module [`'\\].* (?:is )?not part of the design/i },
  { id: "yosysNoFile", tool: "Yosys", test: /Can't open input file/i },
  { id: "yosysNoDriver", tool: "Yosys", test: /is used but has no driver/i },
  {
    id: "yosysConflict",
    tool: "Yosys",
    test: /(?:multiple conflicting drivers|Drivers conflicting)/i,
  },
  { id: "yosysMemory", tool: "Yosys", test: /Replacing memory .* with list of registers/i },
  { id: "yosysResize", tool: "Yosys", test: /Resizing cell port/i },
  { id: "combinationalLoop", tool: "Yosys", test: /(?:found logic loop|combinational loop)/i },
  // nextpnr
  {
    id: "nextpnrNoClock",
    tool: "nextpnr",
    test: /BELs remaining .*'(?:SB_GB|ICESTORM_PLL|DCCA|EHXPLLL|rPLL)'|place PLL|PLL .* couldn't be placed/i,
  },
  {
    id: "nextpnrPins",
    tool: "nextpnr",
    test: /(?:BELs remaining .*'(?:SB_IO|TRELLIS_IO)'|placement location for cell '.*sb_io'|too many IO)/i,
  },
  {
    id: "nextpnrFull",
    tool: "nextpnr",
    test: /(?:Unable to (?:find|place)|failed to place|no Bels remaining|unable to find a placement|no legal placement|cells? of type .* (?:could not|cannot) be placed)/i,
  },
  { id: "nextpnrTiming", tool: "nextpnr", test: /Max frequency for clock .*FAIL at/i },
  { id: "nextpnrRoute", tool: "nextpnr", test: /(?:Routing failed|Failed to route|unroutable)/i },
  {
    id: "nextpnrFreePin",
    tool: "nextpnr",
    test: /IO ['`].*['`] is unconstrained|unconstrained in pcf/i,
  },
  {
    id: "nextpnrConstraint",
    tool: "nextpnr",
    test: /unmatched constraint|No net or cell .* in constraint/i,
  },
  // icepack and its like
  {
    id: "packInput",
    tool: "icepack",
    test: /(?:Can't open|Error parsing|not a valid) .*\.(?:asc|config|json)/i,
  },
  // g++ of emulations
  { id: "compilerError", tool: "g++", test: /^[^\s:]+\.(?:cpp|cc|h|hpp|c):\d+.*error:/i },
  // Whatever runs
  {
    id: "outOfMemory",
    tool: "",
    test: /(?:out of memory|bad_alloc|cannot allocate memory|needed more than \d+ MiB)/i,
  },
  {
    id: "outOfDisk",
    tool: "",
    test: /(?:No space left|disk is full|wrote more than its folder may hold)/i,
  },
  { id: "outOfTime", tool: "", test: /(?:ran longer than|was silent for|processor time)/i },
  { id: "toolAborted", tool: "", test: /^RuntimeError: (?:unreachable|.*out of bounds)/ },
  { id: "toolEnded", tool: "", test: /ended with status \d+/i },
  // Our own stages
  { id: "timingMissed", tool: "Boardwalk", test: /^Timing is not met at /i },
  { id: "noClockMet", tool: "Boardwalk", test: /^No clock of the board is met/i },
  {
    id: "tooLarge",
    tool: "Boardwalk",
    test: /(?:does not fit|is too large|needs [\d,]+ .* has [\d,]+)/i,
  },
  {
    id: "notProven",
    tool: "Boardwalk",
    test: /(?:answers? otherwise|differs? from the (?:integer )?graph|of \d+ vectors)/i,
  },
  { id: "handedBack", tool: "Boardwalk", test: /^The worker stops: this build goes back/i },
  { id: "damaged", tool: "Boardwalk", test: /^The artifact of an equal build is damaged/i },
] as const satisfies readonly {
  readonly id: string;
  readonly tool: string;
  readonly test: RegExp;
}[];

/** A problem that we know by what its tool says. */
export type ProblemId = (typeof problemPatterns)[number]["id"];
