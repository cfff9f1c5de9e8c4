-- Stores and hosts that models of a project come from. What opens one is sealed with a key that is not in this database.
CREATE TABLE "connection" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "place" JSONB NOT NULL,
  "secret" TEXT,
  "secret_set_at" TIMESTAMPTZ(6),
  "version" INTEGER NOT NULL DEFAULT 1,
  "tested_at" TIMESTAMPTZ(6),
  "test_said" TEXT,
  "test_reason" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "connection_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "connection_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE,
  CONSTRAINT "connection_secret" CHECK (("secret" IS NULL) = ("secret_set_at" IS NULL)),
  CONSTRAINT "connection_test" CHECK (("tested_at" IS NULL) = ("test_said" IS NULL))
);
CREATE UNIQUE INDEX "connection_project_id_name_key" ON "connection"("project_id", "name");
