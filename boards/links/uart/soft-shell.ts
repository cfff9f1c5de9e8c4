import { checkFrame, encodeFrame, type ResultPayload } from "./frame";
import { encodeIdentity, type Identity } from "./identity";
import { frameKinds, PROTOCOL_VERSION } from "./protocol";

const errorCodes = { version: 1, kind: 2, length: 3 } as const;
/** COBS of the longest frame that a header can announce; what is longer has no right length. */
const mostFrameBytes = 66_000;

/** A shell in software around a core that has none: it answers the bytes of a line as `shellSource` does. */
export class SoftShell {
  private readonly identity: Identity;
  private readonly run: (row: Uint8Array) => ResultPayload;
  private readonly frame = new Uint8Array(mostFrameBytes);
  private length = 0;

  constructor(identity: Identity, run: (row: Uint8Array) => ResultPayload) {
    this.identity = identity;
    this.run = run;
  }

  /** Takes bytes of the line, however they are cut; answers what the board says to them. */
  push(bytes: Uint8Array): Uint8Array {
    const answers: number[] = [];
    for (const byte of bytes) {
      if (byte !== 0) {
        if (this.length < mostFrameBytes) this.frame[this.length] = byte;
        this.length++;
        continue;
      }
      const encoded = this.frame.subarray(0, Math.min(this.length, mostFrameBytes));
      this.length = 0;
      answers.push(...this.answer(encoded));
    }
    return Uint8Array.from(answers);
  }

  private answer(encoded: Uint8Array): Uint8Array {
    const asked = checkFrame(encoded);
    if (!asked) return new Uint8Array(0);
    const { sequence, payload } = asked;
    const refuse = (code: number) =>
      encodeFrame({ kind: frameKinds.error, sequence, payload: Uint8Array.of(code) });
    if (asked.first >> 4 !== PROTOCOL_VERSION) return refuse(errorCodes.version);
    switch (asked.first & 0x0f) {
      case frameKinds.identityRequest:
        return payload.length === 0
          ? encodeFrame({
              kind: frameKinds.identity,
              sequence,
              payload: encodeIdentity(this.identity),
            })
          : refuse(errorCodes.length);
      case frameKinds.infer:
        return payload.length === this.identity.core.inputBytes
          ? encodeFrame({ kind: frameKinds.result, sequence, payload: this.resultOf(payload) })
          : refuse(errorCodes.length);
      default:
        return refuse(errorCodes.kind);
    }
  }

  private resultOf(row: Uint8Array): Uint8Array {
    const { output, cycles } = this.run(row);
    const payload = new Uint8Array(output.length + 4);
    payload.set(output);
    new DataView(payload.buffer).setUint32(output.length, cycles, true);
    return payload;
  }
}
