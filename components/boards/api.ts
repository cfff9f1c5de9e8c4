import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  type Attachment,
  attachmentSchema,
  boardModelSummarySchema,
  boardSchema,
  type NewAdoption,
  type NewAttachment,
  pageOf,
  type SeenDevice,
  seenDeviceSchema,
} from "@/lib/common/contract";

/** How soon a page looks again at what no event tells of: heartbeats, and devices on USB. */
const lookAgainMs = 5000;

/** Every board of the installation with its slots, looked at again and again. */
export const boardsQuery = () =>
  queryOptions({
    queryKey: ["boards", "list"],
    queryFn: ({ signal }) => getJson("/api/v1/boards", pageOf(boardSchema), { signal }),
    refetchInterval: lookAgainMs,
  });

/** The catalogue of board models; it never changes while the page is open. */
export const boardModelsQuery = () =>
  queryOptions({
    queryKey: ["board-models"],
    queryFn: ({ signal }) =>
      getJson("/api/v1/board-models", pageOf(boardModelSummarySchema), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Devices on USB; plugging one in shows without a reload. */
export const sightingsQuery = () =>
  queryOptions({
    queryKey: ["sightings"],
    queryFn: ({ signal }) => getJson("/api/v1/sightings", pageOf(seenDeviceSchema), { signal }),
    refetchInterval: lookAgainMs,
  });

/** Makes a board of a device on USB. */
export const adopt = (adoption: NewAdoption): Promise<SeenDevice> =>
  postJson("/api/v1/sightings/adoptions", adoption, seenDeviceSchema);

/** Gives up the board that a device was adopted as. */
export const release = ({ serverId, key }: SeenDevice): Promise<object> =>
  deleteJson(
    `/api/v1/sightings/adoptions?${new URLSearchParams({ serverId, sighting: key })}`,
    z.object({}),
  );

/** How soon a page looks at a trial that is under way. */
const trialMs = 1000;

/** Boards at addresses; a trial is seen as it goes on. */
export const attachmentsQuery = () =>
  queryOptions({
    queryKey: ["attachments"],
    queryFn: ({ signal }) =>
      getJson("/api/v1/boards/attachments", pageOf(attachmentSchema), { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === "testing") ? trialMs : lookAgainMs,
  });

/** Attaches the board at an address. */
export const attach = (attachment: NewAttachment): Promise<Attachment> =>
  postJson("/api/v1/boards/attachments", attachment, attachmentSchema);

/** Gives up the board at an address. */
export const detach = (id: string): Promise<object> =>
  deleteJson(`/api/v1/boards/attachments/${id}`, z.object({}));
