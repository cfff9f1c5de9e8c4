import { Prisma } from "@/prisma/generated/client";

/** A piece of SQL with its parameters apart, to be put into another or run; values never become text. */
export const sql = Prisma.sql;
export const emptySql = Prisma.empty;
export type Sql = Prisma.Sql;
