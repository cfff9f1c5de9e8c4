-- Build workers that are up, and how each shuts its tools in: pages say so where that is not the whole sandbox.
CREATE TABLE "build_worker" (
  "name" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "sandbox" TEXT NOT NULL,
  "mend" TEXT,
  "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "build_worker_pkey" PRIMARY KEY ("name")
);
