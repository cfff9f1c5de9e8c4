-- The first schema: equal to prisma/models, with the rules that a schema cannot say below the tables.

CREATE TABLE "project" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "user" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "membership" (
  "project_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "role" TEXT NOT NULL,
  CONSTRAINT "membership_pkey" PRIMARY KEY ("project_id", "user_id")
);

CREATE TABLE "idempotency_key" (
  "project_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "body_sha256" TEXT NOT NULL,
  "status" INTEGER,
  "answer" JSONB,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("project_id", "key")
);

CREATE TABLE "model" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "url" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "size_bytes" BIGINT NOT NULL,
  "inspection" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "model_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "inspection" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "url" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'queued',
  "result" JSONB,
  "problem" JSONB,
  "jobs" INTEGER NOT NULL DEFAULT 0,
  "lease_epoch" INTEGER NOT NULL DEFAULT 0,
  "lease_owner" TEXT,
  "lease_until" TIMESTAMPTZ(6),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" TIMESTAMPTZ(6),
  CONSTRAINT "inspection_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "artifact" (
  "digest" TEXT NOT NULL,
  "plan_digest" TEXT NOT NULL,
  "manifest" JSONB NOT NULL,
  "signature" JSONB NOT NULL,
  "report" JSONB NOT NULL,
  "size_bytes" BIGINT NOT NULL,
  "build_id" UUID NOT NULL,
  "epoch" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "artifact_pkey" PRIMARY KEY ("digest")
);

CREATE TABLE "artifact_reference" (
  "project_id" UUID NOT NULL,
  "artifact_digest" TEXT NOT NULL,
  "build_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "artifact_reference_pkey" PRIMARY KEY ("project_id", "artifact_digest", "build_id")
);

CREATE TABLE "plan_shortcut" (
  "request_digest" TEXT NOT NULL,
  "plan_digest" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "plan_shortcut_pkey" PRIMARY KEY ("request_digest")
);

CREATE TABLE "signing_key" (
  "key_id" TEXT NOT NULL,
  "public_key" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "signing_key_pkey" PRIMARY KEY ("key_id")
);

CREATE TABLE "build" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'queued',
  "request" JSONB NOT NULL,
  "engine" TEXT NOT NULL,
  "board_model" TEXT NOT NULL,
  "board_kind" TEXT NOT NULL,
  "model_url" TEXT NOT NULL,
  "model_digest" TEXT,
  "endpoint_name" TEXT,
  "plan_digest" TEXT,
  "artifact_digest" TEXT,
  "reused_from_id" UUID,
  "waits_for_id" UUID,
  "retry_of_id" UUID,
  "report" JSONB,
  "problem" JSONB,
  "cancel_requested_at" TIMESTAMPTZ(6),
  "deadline_at" TIMESTAMPTZ(6),
  "lease_epoch" INTEGER NOT NULL DEFAULT 0,
  "lease_owner" TEXT,
  "lease_until" TIMESTAMPTZ(6),
  "jobs" INTEGER NOT NULL DEFAULT 0,
  "charged_attempts" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "started_at" TIMESTAMPTZ(6),
  "ended_at" TIMESTAMPTZ(6),
  CONSTRAINT "build_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "attempt" (
  "build_id" UUID NOT NULL,
  "epoch" INTEGER NOT NULL,
  "worker_id" TEXT NOT NULL,
  "stages" JSONB NOT NULL DEFAULT '[]',
  "charged" BOOLEAN NOT NULL DEFAULT true,
  "lines" INTEGER NOT NULL DEFAULT 0,
  "log_bytes" BIGINT NOT NULL DEFAULT 0,
  "log_sha256" TEXT,
  "log_object" TEXT,
  "log_truncated" BOOLEAN NOT NULL DEFAULT false,
  "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" TIMESTAMPTZ(6),
  "outcome" TEXT,
  CONSTRAINT "attempt_pkey" PRIMARY KEY ("build_id", "epoch")
);

CREATE TABLE "transition" (
  "id" BIGSERIAL NOT NULL,
  "build_id" UUID NOT NULL,
  "from_state" TEXT,
  "to_state" TEXT NOT NULL,
  "epoch" INTEGER NOT NULL,
  "actor" TEXT NOT NULL,
  "reason" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "transition_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "log_chunk" (
  "build_id" UUID NOT NULL,
  "epoch" INTEGER NOT NULL,
  "seq" INTEGER NOT NULL,
  "first_line" INTEGER NOT NULL,
  "last_line" INTEGER NOT NULL,
  "byte_offset" BIGINT NOT NULL,
  "bytes" INTEGER NOT NULL,
  "lines" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "log_chunk_pkey" PRIMARY KEY ("build_id", "epoch", "seq")
);

CREATE TABLE "endpoint" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'building',
  "reason" TEXT,
  "problem" JSONB,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ready_at" TIMESTAMPTZ(6),
  "delete_requested_at" TIMESTAMPTZ(6),
  "deleted_at" TIMESTAMPTZ(6),
  CONSTRAINT "endpoint_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "endpoint_ordinal" (
  "name" TEXT NOT NULL,
  "last_ordinal" INTEGER NOT NULL,
  CONSTRAINT "endpoint_ordinal_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "revision" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "endpoint_id" UUID NOT NULL,
  "ordinal" INTEGER NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'building',
  "request" JSONB NOT NULL,
  "engine" TEXT NOT NULL,
  "board_model" TEXT NOT NULL,
  "board_kind" TEXT NOT NULL,
  "board_id" UUID,
  "model_url" TEXT NOT NULL,
  "build_id" UUID,
  "artifact_digest" TEXT,
  "problem" JSONB,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "revision_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "route" (
  "endpoint_id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "split" JSONB NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 1,
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "route_pkey" PRIMARY KEY ("endpoint_id")
);

CREATE TABLE "enrolment" (
  "code_sha256" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "used_at" TIMESTAMPTZ(6),
  CONSTRAINT "enrolment_pkey" PRIMARY KEY ("code_sha256")
);

CREATE TABLE "board_server" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "public_key" TEXT NOT NULL,
  "address" JSONB NOT NULL,
  "term" INTEGER NOT NULL DEFAULT 1,
  "nonce" TEXT,
  "nonce_at" TIMESTAMPTZ(6),
  "simulated_capacity" INTEGER NOT NULL DEFAULT 0,
  "heartbeat_at" TIMESTAMPTZ(6),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "board_server_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "board" (
  "id" UUID NOT NULL,
  "board_server_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "board_model" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'free',
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "removed_at" TIMESTAMPTZ(6),
  CONSTRAINT "board_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "slot" (
  "id" UUID NOT NULL,
  "board_id" UUID NOT NULL,
  "index" INTEGER NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'empty',
  "epoch" INTEGER NOT NULL DEFAULT 0,
  "desired_revision_id" UUID,
  "reported_revision_id" UUID,
  "reported_artifact_digest" TEXT,
  "reported_epoch" INTEGER NOT NULL DEFAULT 0,
  "command_id" UUID,
  "command_at" TIMESTAMPTZ(6),
  "problem" JSONB,
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "slot_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "slot_assignment" (
  "id" UUID NOT NULL,
  "slot_id" UUID NOT NULL,
  "revision_id" UUID NOT NULL,
  "epoch" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "released_at" TIMESTAMPTZ(6),
  CONSTRAINT "slot_assignment_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "lease" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "board_id" UUID NOT NULL,
  "purpose" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(6),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "released_at" TIMESTAMPTZ(6),
  CONSTRAINT "lease_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "outbox" (
  "id" BIGSERIAL NOT NULL,
  "queue" TEXT NOT NULL,
  "job_id" TEXT NOT NULL,
  "payload" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "published_at" TIMESTAMPTZ(6),
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "event" (
  "seq" BIGSERIAL NOT NULL,
  "project_id" UUID,
  "noun" TEXT NOT NULL,
  "target_id" TEXT NOT NULL,
  "once_key" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "event_pkey" PRIMARY KEY ("seq")
);

CREATE TABLE "singleton" (
  "key" TEXT NOT NULL,
  "term" INTEGER NOT NULL DEFAULT 0,
  "data" JSONB NOT NULL DEFAULT '{}',
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "singleton_pkey" PRIMARY KEY ("key")
);

CREATE UNIQUE INDEX "project_name_key" ON "project"("name");
CREATE UNIQUE INDEX "user_name_key" ON "user"("name");
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");
CREATE INDEX "model_project_id_created_at_idx" ON "model"("project_id", "created_at");
CREATE INDEX "inspection_state_created_at_idx" ON "inspection"("state", "created_at");
CREATE UNIQUE INDEX "artifact_plan_digest_key" ON "artifact"("plan_digest");
CREATE UNIQUE INDEX "artifact_build_id_key" ON "artifact"("build_id");
CREATE INDEX "build_project_id_created_at_idx" ON "build"("project_id", "created_at");
CREATE INDEX "build_state_lease_until_idx" ON "build"("state", "lease_until");
CREATE INDEX "build_plan_digest_idx" ON "build"("plan_digest");
CREATE INDEX "transition_build_id_id_idx" ON "transition"("build_id", "id");
CREATE UNIQUE INDEX "log_chunk_build_id_epoch_first_line_key" ON "log_chunk"("build_id", "epoch", "first_line");
CREATE INDEX "endpoint_project_id_created_at_idx" ON "endpoint"("project_id", "created_at");
CREATE UNIQUE INDEX "revision_endpoint_id_ordinal_key" ON "revision"("endpoint_id", "ordinal");
CREATE UNIQUE INDEX "board_server_name_key" ON "board_server"("name");
CREATE UNIQUE INDEX "board_board_server_id_key_key" ON "board"("board_server_id", "key");
CREATE UNIQUE INDEX "slot_board_id_index_key" ON "slot"("board_id", "index");
CREATE INDEX "slot_assignment_revision_id_idx" ON "slot_assignment"("revision_id");
CREATE UNIQUE INDEX "event_once_key_key" ON "event"("once_key");
CREATE INDEX "event_created_at_idx" ON "event"("created_at");

ALTER TABLE "membership" ADD CONSTRAINT "membership_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "model" ADD CONSTRAINT "model_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "inspection" ADD CONSTRAINT "inspection_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "artifact_reference" ADD CONSTRAINT "artifact_reference_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "artifact_reference" ADD CONSTRAINT "artifact_reference_artifact_digest_fkey"
  FOREIGN KEY ("artifact_digest") REFERENCES "artifact"("digest") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "artifact_reference" ADD CONSTRAINT "artifact_reference_build_id_fkey"
  FOREIGN KEY ("build_id") REFERENCES "build"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "build" ADD CONSTRAINT "build_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_build_id_fkey"
  FOREIGN KEY ("build_id") REFERENCES "build"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "transition" ADD CONSTRAINT "transition_build_id_fkey"
  FOREIGN KEY ("build_id") REFERENCES "build"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "log_chunk" ADD CONSTRAINT "log_chunk_build_id_epoch_fkey"
  FOREIGN KEY ("build_id", "epoch") REFERENCES "attempt"("build_id", "epoch") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "revision" ADD CONSTRAINT "revision_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "revision" ADD CONSTRAINT "revision_endpoint_id_fkey"
  FOREIGN KEY ("endpoint_id") REFERENCES "endpoint"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "revision" ADD CONSTRAINT "revision_build_id_fkey"
  FOREIGN KEY ("build_id") REFERENCES "build"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "route" ADD CONSTRAINT "route_endpoint_id_fkey"
  FOREIGN KEY ("endpoint_id") REFERENCES "endpoint"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "route" ADD CONSTRAINT "route_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "board" ADD CONSTRAINT "board_board_server_id_fkey"
  FOREIGN KEY ("board_server_id") REFERENCES "board_server"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "slot" ADD CONSTRAINT "slot_board_id_fkey"
  FOREIGN KEY ("board_id") REFERENCES "board"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "slot_assignment" ADD CONSTRAINT "slot_assignment_slot_id_fkey"
  FOREIGN KEY ("slot_id") REFERENCES "slot"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "slot_assignment" ADD CONSTRAINT "slot_assignment_revision_id_fkey"
  FOREIGN KEY ("revision_id") REFERENCES "revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "lease" ADD CONSTRAINT "lease_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "lease" ADD CONSTRAINT "lease_board_id_fkey"
  FOREIGN KEY ("board_id") REFERENCES "board"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Partial indexes, which the Prisma schema cannot say.

-- A name is taken while its endpoint lives; deleted ones free it.
CREATE UNIQUE INDEX "endpoint_live_name" ON "endpoint"("name") WHERE "deleted_at" IS NULL;
-- At most one owner of a slot (R13).
CREATE UNIQUE INDEX "slot_assignment_one_active" ON "slot_assignment"("slot_id") WHERE "released_at" IS NULL;
CREATE INDEX "outbox_waiting" ON "outbox"("id") WHERE "published_at" IS NULL;

-- Words a column may hold; the same lists as lib/common/contract, which a test compares.

ALTER TABLE "build" ADD CONSTRAINT "build_state_known" CHECK ("state" IN
  ('queued', 'preparing', 'running', 'succeeded', 'failed', 'cancelled', 'timed_out'));
ALTER TABLE "slot" ADD CONSTRAINT "slot_state_known" CHECK ("state" IN
  ('empty', 'loading', 'testing', 'serving', 'unknown', 'unreachable'));
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_state_known" CHECK ("state" IN
  ('building', 'loading', 'testing', 'ready', 'degraded', 'asleep', 'paused', 'deleting', 'failed'));
ALTER TABLE "revision" ADD CONSTRAINT "revision_state_known" CHECK ("state" IN
  ('building', 'ready', 'failed', 'retired'));
ALTER TABLE "inspection" ADD CONSTRAINT "inspection_state_known" CHECK ("state" IN
  ('queued', 'running', 'succeeded', 'failed'));
ALTER TABLE "transition" ADD CONSTRAINT "transition_legal" CHECK (
  ("from_state" IS NULL AND "to_state" = 'queued')
  OR ("from_state" = 'queued' AND "to_state" IN ('preparing', 'failed', 'cancelled', 'timed_out'))
  OR ("from_state" = 'preparing' AND "to_state" IN ('running', 'succeeded', 'queued', 'failed', 'cancelled', 'timed_out'))
  OR ("from_state" = 'running' AND "to_state" IN ('succeeded', 'queued', 'failed', 'cancelled', 'timed_out')));

-- R2: what has ended stays as it ended.
CREATE FUNCTION "build_end_is_final"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('succeeded', 'failed', 'cancelled', 'timed_out') AND (
    NEW.state, NEW.request, NEW.lease_epoch, NEW.plan_digest, NEW.artifact_digest, NEW.reused_from_id, NEW.problem, NEW.ended_at
  ) IS DISTINCT FROM (
    OLD.state, OLD.request, OLD.lease_epoch, OLD.plan_digest, OLD.artifact_digest, OLD.reused_from_id, OLD.problem, OLD.ended_at
  ) THEN
    RAISE EXCEPTION 'build % has ended as % and cannot change', OLD.id, OLD.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'build_end_is_final';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "build_end_is_final" BEFORE UPDATE ON "build"
  FOR EACH ROW EXECUTE FUNCTION "build_end_is_final"();

-- R3: at commit, the newest transition of a build says the build's state, and each begins where the one before ended.
CREATE FUNCTION "transitions_tell_state"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject uuid;
  actual text;
  told text;
  broken boolean;
BEGIN
  IF TG_TABLE_NAME = 'build' THEN subject := NEW.id; ELSE subject := NEW.build_id; END IF;
  SELECT state INTO actual FROM build WHERE id = subject;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT to_state INTO told FROM transition WHERE build_id = subject ORDER BY id DESC LIMIT 1;
  SELECT coalesce(bool_or(from_state IS DISTINCT FROM before), false) INTO broken FROM (
    SELECT from_state, lag(to_state) OVER (ORDER BY id) AS before FROM transition WHERE build_id = subject
  ) chain;
  IF told IS DISTINCT FROM actual OR broken THEN
    RAISE EXCEPTION 'build % is %, its transitions end in %', subject, actual, coalesce(told, 'nothing')
      USING ERRCODE = 'check_violation', CONSTRAINT = 'transitions_tell_state';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "build_state_is_told" AFTER INSERT OR UPDATE OF "state" ON "build"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "transitions_tell_state"();
CREATE CONSTRAINT TRIGGER "transition_is_true" AFTER INSERT ON "transition"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "transitions_tell_state"();

CREATE FUNCTION "transition_is_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'transitions are history' USING ERRCODE = 'check_violation', CONSTRAINT = 'transition_is_history';
END $$;
CREATE TRIGGER "transition_is_history" BEFORE UPDATE ON "transition"
  FOR EACH ROW EXECUTE FUNCTION "transition_is_history"();

-- A revision's settings never change; its artifact is set once.
CREATE FUNCTION "revision_is_settled"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.ordinal, NEW.endpoint_id, NEW.request, NEW.engine, NEW.board_model, NEW.board_kind, NEW.board_id, NEW.model_url)
    IS DISTINCT FROM
    (OLD.ordinal, OLD.endpoint_id, OLD.request, OLD.engine, OLD.board_model, OLD.board_kind, OLD.board_id, OLD.model_url)
    OR (OLD.artifact_digest IS NOT NULL AND NEW.artifact_digest IS DISTINCT FROM OLD.artifact_digest) THEN
    RAISE EXCEPTION 'revision % is settled', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'revision_is_settled';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "revision_is_settled" BEFORE UPDATE ON "revision"
  FOR EACH ROW EXECUTE FUNCTION "revision_is_settled"();

-- Events are numbered in the order in which they become visible, so that a reader's cursor skips none:
-- whoever takes a number holds it until its transaction ends.
CREATE FUNCTION "event_in_order"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1651993707, 1);
  NEW.seq := nextval('event_seq_seq');
  RETURN NEW;
END $$;
CREATE TRIGGER "event_in_order" BEFORE INSERT ON "event"
  FOR EACH ROW EXECUTE FUNCTION "event_in_order"();

-- Doorbells. They are told at commit; whoever missed one looks again by itself.

CREATE FUNCTION "notify_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('event', NEW.seq::text); RETURN NULL; END $$;
CREATE TRIGGER "notify_event" AFTER INSERT ON "event" FOR EACH ROW EXECUTE FUNCTION "notify_event"();

CREATE FUNCTION "notify_outbox"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('outbox', ''); RETURN NULL; END $$;
CREATE TRIGGER "notify_outbox" AFTER INSERT ON "outbox" FOR EACH STATEMENT EXECUTE FUNCTION "notify_outbox"();

CREATE FUNCTION "notify_inspection"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('inspection', NEW.id::text); RETURN NULL; END $$;
CREATE TRIGGER "notify_inspection" AFTER UPDATE OF "state" ON "inspection"
  FOR EACH ROW EXECUTE FUNCTION "notify_inspection"();

-- Payload `<build>:<epoch>`.
CREATE FUNCTION "notify_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('log', NEW.build_id::text || ':' || NEW.epoch::text); RETURN NULL; END $$;
CREATE TRIGGER "notify_log" AFTER INSERT ON "log_chunk" FOR EACH ROW EXECUTE FUNCTION "notify_log"();

CREATE FUNCTION "notify_route"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('route', ''); RETURN NULL; END $$;
CREATE TRIGGER "notify_route" AFTER INSERT OR UPDATE OR DELETE ON "route"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_route"();
CREATE TRIGGER "notify_route_endpoint" AFTER UPDATE OF "state", "deleted_at" ON "endpoint"
  FOR EACH ROW WHEN ((OLD."state", OLD."deleted_at") IS DISTINCT FROM (NEW."state", NEW."deleted_at"))
  EXECUTE FUNCTION "notify_route"();
CREATE TRIGGER "notify_route_slot" AFTER UPDATE ON "slot"
  FOR EACH ROW WHEN (
    (OLD."state", OLD."epoch", OLD."reported_revision_id", OLD."reported_epoch", OLD."command_id")
    IS DISTINCT FROM (NEW."state", NEW."epoch", NEW."reported_revision_id", NEW."reported_epoch", NEW."command_id"))
  EXECUTE FUNCTION "notify_route"();
CREATE TRIGGER "notify_route_server" AFTER UPDATE OF "address", "term" ON "board_server"
  FOR EACH ROW WHEN ((OLD."address", OLD."term") IS DISTINCT FROM (NEW."address", NEW."term"))
  EXECUTE FUNCTION "notify_route"();

-- Payload: the board server whose slot has a new command.
CREATE FUNCTION "notify_command"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('command', board_server_id::text) FROM board WHERE id = NEW.board_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "notify_command_new" AFTER INSERT ON "slot"
  FOR EACH ROW WHEN (NEW."command_id" IS NOT NULL) EXECUTE FUNCTION "notify_command"();
CREATE TRIGGER "notify_command" AFTER UPDATE OF "command_id" ON "slot"
  FOR EACH ROW WHEN (NEW."command_id" IS NOT NULL AND OLD."command_id" IS DISTINCT FROM NEW."command_id")
  EXECUTE FUNCTION "notify_command"();

-- The one project of an installation without accounts.
INSERT INTO "project" ("id", "name") VALUES ('00000000-0000-7000-8000-000000000001', 'default');
INSERT INTO "user" ("id", "name") VALUES ('00000000-0000-7000-8000-000000000002', 'owner');
INSERT INTO "membership" ("project_id", "user_id", "role")
  VALUES ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', 'admin');
INSERT INTO "singleton" ("key") VALUES ('reconciler');
