-- Whose an endpoint is: while it is private, nobody else may ask it. Null without accounts, and of somebody who is gone.
ALTER TABLE "endpoint" ADD COLUMN "owner_id" UUID;
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE SET NULL;
CREATE INDEX "endpoint_of_owner" ON "endpoint"("owner_id") WHERE "owner_id" IS NOT NULL;

-- Who may ask an endpoint: its owner, who shows a token of its project, or everybody who reaches the gateway.
ALTER TABLE "endpoint" DROP CONSTRAINT "endpoint_access";
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_access" CHECK ("access" IN ('private', 'project', 'all'));
CREATE OR REPLACE FUNCTION "log_endpoint_access"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_log (endpoint_id, kind)
    VALUES (NEW.id, CASE NEW.access WHEN 'all' THEN 'opened_to_all' WHEN 'private' THEN 'closed_to_owner' ELSE 'closed_to_tokens' END);
  RETURN NULL;
END $$;

-- Another owner changes who is let in as another access does.
CREATE TRIGGER "notify_route_owner" AFTER UPDATE OF "owner_id" ON "endpoint"
  FOR EACH ROW WHEN (OLD."owner_id" IS DISTINCT FROM NEW."owner_id") EXECUTE FUNCTION "notify_route"();

-- A link is a token that is good for one endpoint.
ALTER TABLE "token" DROP CONSTRAINT "token_kind";
ALTER TABLE "token" ADD CONSTRAINT "token_kind" CHECK (("kind" = 'portal') = ("project_id" IS NULL) AND "kind" IN ('api', 'portal', 'link'));
