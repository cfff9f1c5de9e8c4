import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** An authenticator in software: one passkey, and what a browser would tell of it. */
export interface Authenticator {
  readonly id: string;
  /** What it has counted. */
  counter: number;
  register(asked: Asked): object;
  sign(asked: Asked): object;
}

interface Asked {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const text = (data: Buffer) => data.toString("base64url");
const presentAndVerified = 0x05;
const withKey = 0x40;

/** Makes one with a key on P-256. */
export function makeAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  const named = { id: text(id), rawId: text(id), type: "public-key", clientExtensionResults: {} };
  const clientData = (type: string, { challenge, origin = "http://localhost:3000" }: Asked) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const dataOf = (rpId: string, flags: number, counter: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  };
  return {
    id: named.id,
    counter: 1,
    register(asked) {
      // COSE: kind 2, algorithm -7, curve 1, x and y.
      const cose = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const data = Buffer.concat([
        dataOf(asked.rpId ?? "localhost", presentAndVerified | withKey, this.counter),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ]);
      // {"fmt": "none", "attStmt": {}, "authData": …} in CBOR.
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return {
        ...named,
        response: {
          clientDataJSON: text(clientData("webauthn.create", asked)),
          attestationObject: text(attestation),
          transports: ["internal"],
        },
      };
    },
    sign(asked) {
      const client = clientData("webauthn.get", asked);
      const data = dataOf(asked.rpId ?? "localhost", presentAndVerified, this.counter);
      return {
        ...named,
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(sign("sha256", Buffer.concat([data, sha256(client)]), privateKey)),
        },
      };
    },
  };
}
