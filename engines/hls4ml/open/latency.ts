/** Cycles for which a row stands still while a network of so many stages answers. */
export const waitFor = (stages: number): number => stages + 2;

/** Cycles from the one in which the last input byte passed to the one in which the first result byte is valid. */
export const latencyOf = (stages: number): number => waitFor(stages) + 1;

/** The stages that a latency was planned for. */
export const stagesOf = (latencyCycles: number): number => latencyCycles - latencyOf(0);
