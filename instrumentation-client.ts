import { config } from "zod";

/**
 * Runs in browsers before any other script of the pages. Their policy allows no code made of text, and zod would try it once to see:
 * every page would report a violation.
 */
config({ jitless: true });
