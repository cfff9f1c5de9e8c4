export { GlossaryList } from "./glossary-list";
export { ResourceTerm } from "./resource-term";
export { Term } from "./term";
export type { TermId } from "./term-id";
