-- Choices of a deploy that somebody keeps under a name. A deleted one can be brought back for a day.
CREATE TABLE "recipe" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "content" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "deleted_at" TIMESTAMPTZ(6),
  CONSTRAINT "recipe_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "recipe_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "recipe_live_name" ON "recipe"("project_id", "name") WHERE "deleted_at" IS NULL;
CREATE INDEX "recipe_deleted" ON "recipe"("deleted_at") WHERE "deleted_at" IS NOT NULL;
