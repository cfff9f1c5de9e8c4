export {
  type Agreement,
  answerRows,
  compareAnswers,
  inputTensors,
  rowsOfVectors,
} from "./agreement";
export {
  answerAt,
  answersClasses,
  classReader,
  ownClasses,
  plainClassOf,
} from "./class-reader";
