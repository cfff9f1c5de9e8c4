import type { RequestProtocol, Timing } from "@/lib/common/contract";

/** One inference that an endpoint was asked for: whoever handles it writes down what it learns, for the count at its end. */
export class Asked {
  readonly endpointId: string;
  /** Whether its body is to be kept. */
  readonly keepsPayloads: boolean;
  readonly protocol: RequestProtocol;
  /** The V2 version that was chosen; 0: none yet. */
  revision = 0;
  rows = 0;
  requestId = "";
  slotId: string | null = null;
  /** Of the answer. */
  timing: Timing | null = null;
  /** V2's JSON, where it is to be kept. */
  body: string | null = null;

  constructor(endpointId: string, keepsPayloads: boolean, protocol: RequestProtocol) {
    this.endpointId = endpointId;
    this.keepsPayloads = keepsPayloads;
    this.protocol = protocol;
  }
}

/** How an inference ended. */
export interface AskedEnd {
  /** As HTTP has it. */
  readonly status: number;
  readonly error: { readonly reason: string; readonly message: string } | null;
  readonly seconds: number;
}
