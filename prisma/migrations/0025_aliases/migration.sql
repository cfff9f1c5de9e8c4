-- Names that versions of a model carry: each at most once for a source.
CREATE TABLE "model_alias" (
  "project_id" UUID NOT NULL,
  "source" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "model_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "model_alias_pkey" PRIMARY KEY ("model_id", "name"),
  CONSTRAINT "model_alias_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "model_alias_model_id_fkey" FOREIGN KEY ("model_id") REFERENCES "model"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "model_alias_one_version" ON "model_alias"("project_id", md5("source"), "name");
