-- What programs show instead of a person: only the digest of a token is kept.
CREATE TABLE "token" (
  "id" UUID NOT NULL,
  -- Null of the portal's own, which acts for whoever it let in.
  "project_id" UUID,
  "kind" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "digest" BYTEA NOT NULL,
  -- Its last characters: people tell their tokens apart by them.
  "ending" TEXT NOT NULL,
  "scopes" TEXT[] NOT NULL,
  -- Whether it is good for some endpoints of its project alone, and for which: as they go, there are fewer.
  "is_limited" BOOLEAN NOT NULL DEFAULT false,
  "endpoint_ids" UUID[] NOT NULL DEFAULT '{}',
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "revoked_at" TIMESTAMPTZ(6),
  "used_at" TIMESTAMPTZ(6),
  "used_from" TEXT,
  CONSTRAINT "token_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "token_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE,
  CONSTRAINT "token_kind" CHECK (("kind" = 'portal') = ("project_id" IS NULL) AND "kind" IN ('api', 'portal'))
);
CREATE UNIQUE INDEX "token_digest" ON "token"("digest");
CREATE INDEX "token_of_project" ON "token"("project_id", "id");
CREATE INDEX "token_revoked" ON "token"("revoked_at") WHERE "revoked_at" IS NOT NULL;
CREATE INDEX "token_expires" ON "token"("expires_at");

CREATE FUNCTION "notify_token"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('token', ''); RETURN NULL; END $$;
CREATE TRIGGER "notify_revoked_token" AFTER UPDATE OF "revoked_at" ON "token"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_token"();
CREATE TRIGGER "notify_deleted_token" AFTER DELETE ON "token"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_token"();

-- Who may ask an endpoint: everybody who reaches the gateway, or who shows a token of its project.
ALTER TABLE "endpoint" ADD COLUMN "access" TEXT NOT NULL DEFAULT 'all';
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_access" CHECK ("access" IN ('all', 'project'));
CREATE TRIGGER "notify_route_access" AFTER UPDATE OF "access" ON "endpoint"
  FOR EACH ROW WHEN (OLD."access" IS DISTINCT FROM NEW."access") EXECUTE FUNCTION "notify_route"();

CREATE FUNCTION "log_endpoint_access"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_log (endpoint_id, kind)
    VALUES (NEW.id, CASE NEW.access WHEN 'all' THEN 'opened_to_all' ELSE 'closed_to_tokens' END);
  RETURN NULL;
END $$;
CREATE TRIGGER "log_endpoint_access" AFTER UPDATE OF "access" ON "endpoint"
  FOR EACH ROW WHEN (OLD."access" IS DISTINCT FROM NEW."access") EXECUTE FUNCTION "log_endpoint_access"();
