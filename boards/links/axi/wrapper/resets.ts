/** What a host sets, and how long a reset by register lasts. */
export const control = `\
  // Registers that a host writes.
  reg by_registers = 0, by_registers_before = 0;
  reg wrong_length = 0;
  reg restart = 0;
  reg [3:0] reset_left = 4'd15;
  wire core_rst = |reset_left;
  wire resetting = restart || core_rst;

`;

/** A reset by register. */
export const onRestart = `\
    // A reset by register: the core forgets, streams keep their word.
    if (core_rst) reset_left <= reset_left - 1'b1;
    if (restart) begin
      reset_left <= 4'd15;
      waiting <= 1'b0;
      in_count <= 16'd0;
      right_length <= 1'b0;
      discarding <= !by_registers_before && |in_count || discarding && by_registers != by_registers_before;
      wrong_length <= 1'b0;
      in_answer <= 1'b0;
      rows <= 32'd0;
      wrong_rows <= 32'd0;
      cycles <= 32'd0;
      if (held && !held_streams) held <= 1'b0;
      truncate <= truncate && held && !given || in_answer && held_streams;
    end

`;

/** The reset of the bus, which wins over all that is before it. */
export const onReset = `\
    if (!aresetn) begin
      address_held <= 1'b0;
      data_held <= 1'b0;
      read_held <= 1'b0;
      s_axi_bvalid <= 1'b0;
      s_axi_rvalid <= 1'b0;
      by_registers <= 1'b0;
      restart <= 1'b0;
      reset_left <= 4'd15;
      waiting <= 1'b0;
      in_count <= 16'd0;
      right_length <= 1'b0;
      discarding <= 1'b0;
      wrong_length <= 1'b0;
      held <= 1'b0;
      in_answer <= 1'b0;
      truncate <= 1'b0;
      rows <= 32'd0;
      wrong_rows <= 32'd0;
      cycles <= 32'd0;
    end
`;
