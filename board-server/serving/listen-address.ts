import { fail } from "@/lib/common/errors";
import { bareHost, isLoopback } from "@/lib/server/board-protocol";
import type { ListenAddress } from "./tensor-server";

/** Where a board server is told to listen. */
export interface ListenWords {
  /** Path of a Unix socket, which comes before all else. */
  readonly socket: string | undefined;
  readonly host: string;
  readonly port: number;
  /** The name or address under which other hosts find it. */
  readonly reachedAt: string | undefined;
}

const everywhere: ReadonlySet<string> = new Set(["0.0.0.0", "::", "*"]);

/**
 * In the clear on this host, under TLS for others.
 *
 * @throws {AppError} `VALIDATION` when it is to listen on every address and nobody can know under which it is found.
 */
export function listenAddress({ socket, host, port, reachedAt }: ListenWords): ListenAddress {
  if (socket !== undefined) return { kind: "unix", path: socket };
  if (isLoopback(host)) return { kind: "tcp", host: bareHost(host), port };
  if (everywhere.has(bareHost(host)) && reachedAt === undefined) {
    throw fail(
      "VALIDATION",
      `BOARD_SERVER_HOST=${host} does not say where gateways find this host.`,
      {
        hint: "Set BOARD_SERVER_ADDRESS to the name or address under which the gateway's host reaches this one.",
      },
    );
  }
  return { kind: "tls", host: bareHost(host), port, reachedAt: reachedAt ?? bareHost(host) };
}
