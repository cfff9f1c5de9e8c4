-- What the holder of a lease asks of the board: bytes for its line, or rows for what is loaded.
CREATE TABLE "lease_call" (
  "id" UUID NOT NULL,
  "lease_id" UUID NOT NULL,
  "slot_id" UUID NOT NULL,
  "slot_epoch" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "request" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "response" TEXT,
  "problem" JSONB,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  "ended_at" TIMESTAMPTZ(6),
  CONSTRAINT "lease_call_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "lease_call_kind" CHECK ("kind" IN ('line', 'infer')),
  CONSTRAINT "lease_call_state" CHECK ("state" IN ('waiting', 'succeeded', 'failed')
    AND ("state" = 'waiting') = ("ended_at" IS NULL)),
  CONSTRAINT "lease_call_lease_id_fkey" FOREIGN KEY ("lease_id") REFERENCES "lease"("id") ON DELETE CASCADE,
  CONSTRAINT "lease_call_slot_id_fkey" FOREIGN KEY ("slot_id") REFERENCES "slot"("id") ON DELETE CASCADE
);
CREATE INDEX "lease_call_open" ON "lease_call"("created_at") WHERE "ended_at" IS NULL;
CREATE INDEX "lease_call_lease_id_created_at_idx" ON "lease_call"("lease_id", "created_at");
CREATE INDEX "lease_call_slot_id_idx" ON "lease_call"("slot_id");
CREATE INDEX "lease_call_ended_at_idx" ON "lease_call"("ended_at");

-- The board server that waits for word hears of it at once, and who asked of the end.
CREATE FUNCTION "notify_lease_call"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('command', b.board_server_id::text) FROM slot l JOIN board b ON b.id = l.board_id WHERE l.id = NEW.slot_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "notify_lease_call" AFTER INSERT ON "lease_call"
  FOR EACH ROW EXECUTE FUNCTION "notify_lease_call"();
CREATE FUNCTION "notify_lease_call_ended"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('lease_call', NEW.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "notify_lease_call_ended" AFTER UPDATE OF "ended_at" ON "lease_call"
  FOR EACH ROW WHEN (OLD."ended_at" IS NULL AND NEW."ended_at" IS NOT NULL) EXECUTE FUNCTION "notify_lease_call_ended"();

-- What passed on the line of a leased board lately: a window, which goes with the lease.
CREATE TABLE "lease_chunk" (
  "seq" BIGINT GENERATED ALWAYS AS IDENTITY,
  "lease_id" UUID NOT NULL,
  -- One time that the board was loaded, and the number of the chunk within it.
  "tap" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "to_board" BOOLEAN NOT NULL,
  "bytes" BYTEA NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "lease_chunk_pkey" PRIMARY KEY ("seq"),
  CONSTRAINT "lease_chunk_lease_id_fkey" FOREIGN KEY ("lease_id") REFERENCES "lease"("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "lease_chunk_lease_id_tap_number_key" ON "lease_chunk"("lease_id", "tap", "number");
CREATE INDEX "lease_chunk_lease_id_seq_idx" ON "lease_chunk"("lease_id", "seq");

-- Requests a second, of one token or link, and of each person or token of a project; null: no limit of its own.
ALTER TABLE "token" ADD COLUMN "requests_per_second" INTEGER;
ALTER TABLE "token" ADD CONSTRAINT "token_requests_per_second" CHECK ("requests_per_second" > 0);
UPDATE "token" SET "requests_per_second" = 10 WHERE "kind" = 'link';
ALTER TABLE "project_quota" ADD COLUMN "requests_per_second_each" INTEGER;

-- A lease that came of a place in a waiting list is its holder's once they do something with the board.
ALTER TABLE "lease" ADD COLUMN "accept_by" TIMESTAMPTZ(6);
ALTER TABLE "lease" ADD COLUMN "passed_on_at" TIMESTAMPTZ(6);
