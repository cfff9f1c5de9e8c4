-- Who did what, when and from where. Names are those of the time, and nothing refers to other tables: an entry outlives what it tells of.
CREATE TABLE "audit_entry" (
  "id" UUID NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "actor_kind" TEXT NOT NULL,
  -- Of a person or a token.
  "actor_id" UUID,
  "actor_name" TEXT,
  -- Null: of the installation.
  "project_id" UUID,
  "project_name" TEXT,
  "action" TEXT NOT NULL,
  "target_noun" TEXT,
  "target_id" TEXT,
  "target_name" TEXT,
  "result" TEXT NOT NULL,
  "reason" TEXT,
  -- Refusals that were alike, of which this is the last.
  "times" INTEGER NOT NULL DEFAULT 1,
  "request_id" UUID,
  "address" TEXT,
  CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "audit_entry_actor" CHECK ("actor_kind" IN ('person', 'token', 'owner', 'board_server', 'nobody')),
  CONSTRAINT "audit_entry_result" CHECK ("result" IN ('done', 'refused', 'failed', 'unknown')),
  CONSTRAINT "audit_entry_times" CHECK ("times" > 0)
);
CREATE INDEX "audit_entry_of_project" ON "audit_entry"("project_id", "id");
CREATE INDEX "audit_entry_at" ON "audit_entry"("at");

-- Rows are added, and go once they are a year old; nothing else is done to them.
CREATE FUNCTION "keep_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' AND OLD.at < now() - interval '1 year' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER "keep_audit_entry" BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "keep_audit_entry"();
CREATE TRIGGER "keep_audit_log" BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_audit_entry"();

-- What somebody is about to do, written before it is done. It becomes an entry when that has ended; of a process that died, later.
CREATE TABLE "audit_intent" (
  "id" UUID NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "actor_kind" TEXT NOT NULL,
  "actor_id" UUID,
  "actor_name" TEXT,
  "project_id" UUID,
  "project_name" TEXT,
  "action" TEXT NOT NULL,
  "target_noun" TEXT,
  "target_id" TEXT,
  "target_name" TEXT,
  "request_id" UUID NOT NULL,
  "address" TEXT,
  CONSTRAINT "audit_intent_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_intent_at" ON "audit_intent"("at");
