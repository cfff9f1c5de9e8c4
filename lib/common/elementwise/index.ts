export {
  applyElementwise,
  composeElementwise,
  type ElementwiseOperand,
  type ElementwiseOperation,
  type ElementwiseProgram,
  elementwiseOperators,
  evaluateElementwise,
  isElementwise,
} from "./program";
