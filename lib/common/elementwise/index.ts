export {
  applyElementwise,
  composeElementwise,
  type ElementwiseOperand,
  type ElementwiseOperation,
  type ElementwiseProgram,
  elementwiseAttributes,
  elementwiseOperators,
  evaluateElementwise,
  isElementwise,
} from "./program";
