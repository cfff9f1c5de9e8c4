-- Words that people give builds, to find them by.
ALTER TABLE "build" ADD COLUMN "labels" TEXT[] NOT NULL DEFAULT '{}';
CREATE INDEX "build_labels" ON "build" USING gin ("labels");
CREATE INDEX "build_labelled" ON "build"("project_id", "id") WHERE "labels" <> '{}';
