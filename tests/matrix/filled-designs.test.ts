import { describeFilling } from "../hardware/support/describe-filling";

// iCE40 is in tests/verification.
describeFilling([
  "ulx3s-25f",
  "tang-nano-9k",
  "tang-primer-25k",
  "crosslink-nx-evn",
  "basys3",
  "kc705",
  "de10-nano",
]);
