export { type Agreement, answerRows, compareAnswers, rowsOfVectors } from "./agreement";
export { answerAt, classReader, largestAt, ownClasses, plainClassOf } from "./predicted-class";
