export type { Artifact as ArtifactRow, Model as ModelRow } from "@/prisma/generated/client";
