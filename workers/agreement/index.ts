export {
  type Agreement,
  answerRows,
  compareAnswers,
  partsOfRow,
  rowsOfVectors,
} from "./agreement";
export { answerAt, classReader, largestAt, ownClasses, plainClassOf } from "./class-reader";
