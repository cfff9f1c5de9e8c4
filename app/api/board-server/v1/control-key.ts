import path from "node:path";
import type {
  AdoptedBoard,
  AttachedBoard,
  Command,
  SignedAdoptions,
  SignedAttachments,
  SignedCommand,
  SignedGateways,
  SigningKey,
} from "@/lib/common/contract";
import {
  adoptionsText,
  attachmentsText,
  commandText,
  gatewaysText,
  type KeyPair,
  loadKeyPair,
} from "@/lib/server/board-protocol";
import { commonEnv } from "@/lib/server/env";

let key: Promise<KeyPair> | undefined;

/** The portal's own key, with which it signs commands; board servers pin it when they enrol. */
function controlKey(): Promise<KeyPair> {
  key ??= loadKeyPair([commonEnv().BOARDWALK_HOME, "keys", "control.pem"].join(path.sep)).catch(
    (error: unknown) => {
      key = undefined;
      throw error;
    },
  );
  return key;
}

export async function listControlKeys(): Promise<SigningKey[]> {
  const { sign: _, ...publicHalf } = await controlKey();
  return [publicHalf];
}

/** Signs each command whole, for one board server. */
export async function signCommands(
  serverId: string,
  commands: readonly Command[],
): Promise<SignedCommand[]> {
  const { keyId, sign } = await controlKey();
  return commands.map((command) => ({
    command,
    keyId,
    signature: sign(commandText(serverId, command)),
  }));
}

/** Signs the boards that were adopted on a server, as the answer to one poll of it. */
export async function signAdoptions(
  poll: { readonly serverId: string; readonly nonce: string },
  boards: readonly AdoptedBoard[],
): Promise<SignedAdoptions> {
  const { keyId, sign } = await controlKey();
  return { boards: [...boards], keyId, signature: sign(adoptionsText(poll, boards)) };
}

/** Signs the boards at addresses of a server, as the answer to one poll of it. */
export async function signAttachments(
  poll: { readonly serverId: string; readonly nonce: string },
  boards: readonly AttachedBoard[],
): Promise<SignedAttachments> {
  const { keyId, sign } = await controlKey();
  return { boards: [...boards], keyId, signature: sign(attachmentsText(poll, boards)) };
}

/** Signs the keys of the gateways that may call a server, as the answer to one poll of it. */
export async function signGateways(
  poll: { readonly serverId: string; readonly nonce: string },
  keys: readonly string[],
): Promise<SignedGateways> {
  const { keyId, sign } = await controlKey();
  return { keys: [...keys], keyId, signature: sign(gatewaysText(poll, keys)) };
}
