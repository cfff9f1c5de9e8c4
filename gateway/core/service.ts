import type { Access } from "./access";
import type { InFlight } from "./in-flight";
import type { Meter } from "./meter";
import type { Readiness } from "./readiness";
import type { Repository } from "./repository";
import type { RouteTable } from "./route-table";
import type { Schedulers } from "./schedulers";
import type { Statistics } from "./statistics";
import type { Traces } from "./traces";

/** What a protocol front translates to: the same for all of them. */
export interface Service {
  /** What V2 metadata tells of this server. */
  readonly version: string;
  readonly routes: RouteTable;
  readonly readiness: Readiness;
  readonly schedulers: Schedulers;
  readonly statistics: Statistics;
  readonly repository: Repository;
  readonly access: Access;
  readonly inFlight: InFlight;
  readonly meter: Meter;
  /** Null: nobody wants them. */
  readonly traces: Traces | null;
}
