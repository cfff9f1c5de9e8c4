-- People who sign in, their sessions, and the links by which they come in.
DROP INDEX "user_name_key";
ALTER TABLE "user"
  -- Null of the owner of an installation without accounts.
  ADD COLUMN "email" TEXT,
  ADD COLUMN "email_verified" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "image" TEXT,
  -- Whether boards, people and the installation itself are theirs to change.
  ADD COLUMN "is_admin" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now();
CREATE UNIQUE INDEX "user_email" ON "user"("email");
UPDATE "user" SET "is_admin" = true WHERE "id" = '00000000-0000-7000-8000-000000000002';
ALTER TABLE "membership" ADD CONSTRAINT "membership_role" CHECK ("role" IN ('viewer', 'builder', 'admin'));
CREATE INDEX "membership_of_user" ON "membership"("user_id");

-- A way to prove who one is: a password, or another service's word.
CREATE TABLE "account" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "provider_id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  -- Salted and stretched.
  "password" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "account_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "account_of_provider" ON "account"("provider_id", "account_id");
CREATE INDEX "account_of_user" ON "account"("user_id");

CREATE TABLE "session" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  -- Digest of what the cookie holds.
  "token" TEXT NOT NULL,
  -- The project that its pages show; null: any.
  "project_id" UUID,
  "ip_address" TEXT,
  "user_agent" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "session_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE,
  CONSTRAINT "session_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE SET NULL
);
CREATE UNIQUE INDEX "session_token" ON "session"("token");
CREATE INDEX "session_of_user" ON "session"("user_id");
CREATE INDEX "session_expires" ON "session"("expires_at");

-- A link that makes its bearer a member: only its digest is kept.
CREATE TABLE "invitation" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "digest" BYTEA NOT NULL,
  "role" TEXT NOT NULL,
  -- The first owner's.
  "makes_admin" BOOLEAN NOT NULL DEFAULT false,
  -- For whom it is meant, as those who made it call them.
  "note" TEXT NOT NULL,
  "invited_by" UUID,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "accepted_at" TIMESTAMPTZ(6),
  CONSTRAINT "invitation_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "invitation_role" CHECK ("role" IN ('viewer', 'builder', 'admin')),
  CONSTRAINT "invitation_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE,
  CONSTRAINT "invitation_invited_by_fkey" FOREIGN KEY ("invited_by") REFERENCES "user"("id") ON DELETE SET NULL
);
CREATE UNIQUE INDEX "invitation_digest" ON "invitation"("digest");
CREATE INDEX "invitation_of_project" ON "invitation"("project_id", "id");
CREATE INDEX "invitation_expires" ON "invitation"("expires_at");

-- A link by which somebody who forgot their password sets another: only its digest is kept.
CREATE TABLE "password_reset" (
  "user_id" UUID NOT NULL,
  "digest" BYTEA NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "password_reset_pkey" PRIMARY KEY ("user_id"),
  CONSTRAINT "password_reset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "password_reset_digest" ON "password_reset"("digest");

-- Whose token it is: it goes when they leave the project. Null of the portal's own, and of those made without accounts.
ALTER TABLE "token" ADD COLUMN "user_id" UUID;
ALTER TABLE "token" ADD CONSTRAINT "token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;
CREATE INDEX "token_of_user" ON "token"("user_id") WHERE "user_id" IS NOT NULL;
