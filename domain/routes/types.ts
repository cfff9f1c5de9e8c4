import type {
  DialAddress,
  EndpointAccess,
  EndpointState,
  Scope,
  Serving,
} from "@/lib/common/contract";
import type { TensorSpec } from "@/lib/common/tensor";

/** All that the gateway knows, at one moment: every live endpoint, ready or not. */
export interface RouteSnapshot {
  readonly endpoints: readonly RouteEndpoint[];
  /** Gateways that are up, which share what may be asked; absent: this one alone. */
  readonly gateways?: number;
}

/** An endpoint as the gateway answers for it. */
export interface RouteEndpoint {
  /** UUID, under which its traffic is counted; absent: it is not. */
  readonly id?: string;
  /** Who may ask it; absent: everybody. */
  readonly access?: EndpointAccess;
  /** UUID of the person whose it is, while it is private; absent or null without accounts. */
  readonly ownerId?: string | null;
  /** Whose tokens are good for it. */
  readonly project?: Scope;
  /** Whether its owner wants the bodies of its last requests kept. */
  readonly keepsPayloads?: boolean;
  /** Requests that one gateway may pass on within a second for the whole project; absent or null: any number. */
  readonly requestsPerSecond?: number | null;
  /** The same for each person and each token of the project. */
  readonly requestsPerSecondEach?: number | null;
  readonly name: string;
  readonly state: EndpointState;
  /** Why it is in this state, in words for callers. */
  readonly reason: string | null;
  /** Shares of the requests without a version, in percent. */
  readonly split: readonly { readonly revisionId: string; readonly percent: number }[];
  /** Revisions that have an artifact, oldest first. */
  readonly revisions: readonly RouteRevision[];
}

/** A revision as the gateway checks requests against it. */
export interface RouteRevision {
  readonly id: string;
  /** The V2 version: the ordinal's text. */
  readonly version: string;
  readonly platform: string;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  /** 0: shapes are taken as they stand; else the largest batch, the batch being dimension 0. */
  readonly maxBatchSize: number;
  /** How its requests wait and share calls; what is absent has its default. */
  readonly serving?: Serving;
  /** Names of the classes, by output. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** What `V2` metadata shows beside the tensors. */
  readonly properties: Readonly<Record<string, string>>;
  /** Slots that serve the revision now. */
  readonly replicas: readonly RouteReplica[];
}

/** A slot that serves a revision, and where it is reached. */
export interface RouteReplica {
  readonly slotId: string;
  readonly slotEpoch: number;
  readonly address: DialAddress;
}
