-- Boards that people book. The table is of the first migration, and nothing was ever written to it.
ALTER TABLE "lease" ADD COLUMN "user_id" UUID REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "lease" ADD COLUMN "starts_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now();
ALTER TABLE "lease" ALTER COLUMN "expires_at" SET NOT NULL;
-- When its beginning was noted; null: it is a booking.
ALTER TABLE "lease" ADD COLUMN "started_at" TIMESTAMPTZ(6);
ALTER TABLE "lease" ADD CONSTRAINT "lease_time" CHECK ("expires_at" > "starts_at");

-- Two people never have one board at one time, whoever writes. Ranges of identifiers, since only ranges can be told apart here
-- without an extension of the database.
CREATE TYPE "uuid_range" AS RANGE (SUBTYPE = uuid);
ALTER TABLE "lease" ADD CONSTRAINT "lease_alone" EXCLUDE USING gist (
  "uuid_range"("board_id", "board_id", '[]') WITH &&,
  tstzrange("starts_at", "expires_at") WITH &&
) WHERE ("released_at" IS NULL);
CREATE INDEX "lease_open" ON "lease"("board_id", "starts_at") WHERE "released_at" IS NULL;
CREATE INDEX "lease_board_id_starts_at_idx" ON "lease"("board_id", "starts_at");
CREATE INDEX "lease_project_id_starts_at_idx" ON "lease"("project_id", "starts_at");

-- What a holder has loaded. A slot is meant for a revision of an endpoint or for one of these: identifiers are never equal.
CREATE TABLE "lease_load" (
  "id" UUID NOT NULL,
  "lease_id" UUID NOT NULL,
  "artifact_digest" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "lease_load_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "lease_load_lease_id_fkey" FOREIGN KEY ("lease_id")
    REFERENCES "lease"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "lease_load_lease_id_idx" ON "lease_load"("lease_id");

-- Who waits for a board, or for any of a model: the first that asked gets the first that is free.
CREATE TABLE "lease_wait" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "user_id" UUID,
  "board_id" UUID,
  "board_model" TEXT NOT NULL,
  "board_kind" TEXT NOT NULL,
  "minutes" INTEGER NOT NULL,
  "purpose" TEXT NOT NULL,
  "lease_id" UUID,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  "ended_at" TIMESTAMPTZ(6),
  CONSTRAINT "lease_wait_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "lease_wait_project_id_fkey" FOREIGN KEY ("project_id")
    REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "lease_wait_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "lease_wait_board_id_fkey" FOREIGN KEY ("board_id")
    REFERENCES "board"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "lease_wait_open" ON "lease_wait"("created_at") WHERE "ended_at" IS NULL;
CREATE INDEX "lease_wait_ended_at_idx" ON "lease_wait"("ended_at");
