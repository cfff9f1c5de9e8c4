/**
 * Registers between the read of an input and what becomes of it, in cycles. `verilog/` builds exactly these;
 * a simulation of every emitted core checks them.
 */
export interface Pipeline {
  /** From the last input byte to the read of the first input. */
  readonly launch: number;
  /** From the read of a group's last input to the sum with its bias (`tap_accumulator`). */
  readonly accumulator: number;
  /** … to the requantised value (`tap_value`). */
  readonly value: number;
  /** … to what the table makes of it (`tap_table`), in designs that have tables. */
  readonly table: number;
  /** … to the cycle in which a lane may read it as an input. */
  readonly readable: number;
  /** From a value of the last layer to the cycle in which it may be sent. */
  readonly answer: number;
}

/** @param tables Whether values pass a table; then all do, or are delayed like those that do. */
export function pipelineOf({ tables }: { readonly tables: boolean }): Pipeline {
  const value = 8;
  const table = value + 1;
  return {
    launch: 2,
    accumulator: 5,
    value,
    table,
    readable: tables ? table + 1 : value + 1,
    answer: 3,
  };
}
