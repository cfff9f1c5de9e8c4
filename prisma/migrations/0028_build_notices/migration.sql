-- Who is told of the end of one build, whatever else they are told of.
CREATE TABLE "build_notice" (
  "build_id" UUID NOT NULL,
  "target_id" UUID NOT NULL,
  CONSTRAINT "build_notice_pkey" PRIMARY KEY ("build_id", "target_id"),
  CONSTRAINT "build_notice_build_id_fkey" FOREIGN KEY ("build_id") REFERENCES "build"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
