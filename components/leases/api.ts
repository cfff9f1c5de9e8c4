import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  fittingArtifactSchema,
  type Lease,
  type LeaseWait,
  leaseListSchema,
  leaseSchema,
  leaseWaitSchema,
  type NewLease,
  type NewLeaseWait,
  pageOf,
} from "@/lib/common/contract";

/** How soon a page looks again at what no event tells of: a lease that runs out. */
const lookAgainMs = 5000;

/** Leases and bookings that have not ended: of one board, or of the installation. Their keys begin as those of boards, whose changes they are. */
export const leasesQuery = (boardId: string | null) =>
  queryOptions({
    queryKey: ["boards", "leases", boardId],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/leases${boardId === null ? "" : `?board=${boardId}`}`, leaseListSchema, {
        signal,
      }),
    refetchInterval: lookAgainMs,
  });

/** Who waits: for one board and for any of its model, or for any board. */
export const waitsQuery = (boardId: string | null) =>
  queryOptions({
    queryKey: ["boards", "waits", boardId],
    queryFn: ({ signal }) =>
      getJson(
        `/api/v1/leases/waiting${boardId === null ? "" : `?board=${boardId}`}`,
        pageOf(leaseWaitSchema),
        { signal },
      ),
    refetchInterval: lookAgainMs,
  });

/** What of the project the holder of a board can load on it. */
export const loadableQuery = (boardId: string) =>
  queryOptions({
    queryKey: ["boards", boardId, "loadable"],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/boards/${boardId}/artifacts?limit=50`, pageOf(fittingArtifactSchema), {
        signal,
      }),
  });

/** A lease from now on, or a booking. */
export const takeLease = (lease: NewLease): Promise<Lease> =>
  postJson("/api/v1/leases", lease, leaseSchema);

/** A place in a waiting list. */
export const joinWaiting = (wait: NewLeaseWait): Promise<LeaseWait> =>
  postJson("/api/v1/leases/waiting", wait, leaseWaitSchema);

/** Leaves a waiting list. */
export const leaveWaiting = (id: string): Promise<object> =>
  deleteJson(`/api/v1/leases/waiting/${id}`, z.object({}));

/** What a lease is asked for with a press. */
export type LeaseAction = "extend" | "release" | "load" | "unload";

/** Asks something of a lease. */
export const askLease = (id: string, action: LeaseAction, body: object = {}): Promise<Lease> =>
  postJson(`/api/v1/leases/${id}/${action}`, body, leaseSchema);
