export { GlossaryList } from "./glossary-list";
export { Term } from "./term";
