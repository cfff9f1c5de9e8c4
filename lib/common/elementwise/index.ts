export {
  applyElementwise,
  composeElementwise,
  type ElementwiseOperand,
  type ElementwiseOperation,
  type ElementwiseProgram,
  elementwiseAttributes,
  elementwiseOperation,
  elementwiseOperators,
  evaluateElementwise,
  isElementwise,
} from "./program";
