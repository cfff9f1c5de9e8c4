-- Firmware that a project keeps: nothing deletes the row of an artifact while a pin refers to it.
CREATE TABLE "artifact_pin" (
  "project_id" UUID NOT NULL,
  "artifact_digest" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "artifact_pin_pkey" PRIMARY KEY ("project_id", "artifact_digest"),
  CONSTRAINT "artifact_pin_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "artifact_pin_artifact_digest_fkey" FOREIGN KEY ("artifact_digest") REFERENCES "artifact"("digest") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "artifact_pin_artifact_digest_idx" ON "artifact_pin"("artifact_digest");
