import { describeFilling } from "../hardware/support/describe-filling";

// Every other family is in tests/matrix.
describeFilling(["icebreaker"]);
