import type { AuditActorKind } from "@/lib/common/contract";

/** Whom somebody says to be whom nothing has let in yet: their names are found by it, and it is kept nowhere. */
export interface Claim {
  /** As they sign in. */
  readonly email?: string;
  /** Digest of a link for a new password. */
  readonly resetDigest?: Buffer;
  /** Digest of a token that is good no more. */
  readonly tokenDigest?: Buffer;
}

/** What something is done to. */
export interface AuditTarget {
  readonly noun: string | null;
  /** As the API shows it; of an endpoint its name. */
  readonly id: string | null;
  readonly name: string | null;
}

/** Who does what, and from where. */
export interface AuditDeed {
  readonly actor: {
    readonly kind: AuditActorKind;
    /** UUID of the person or the token. */
    readonly id: string | null;
  };
  /** UUID; null: of the installation. */
  readonly projectId: string | null;
  /** Name of the route. */
  readonly action: string;
  readonly target: AuditTarget;
  readonly claim: Claim | null;
  /** UUID. */
  readonly requestId: string;
  readonly address: string | null;
}
