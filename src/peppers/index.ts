export {
  forgetPepper,
  needOf,
  PepperMissingError,
  type PepperState,
  readPeppers,
  rehashAll,
  requirePeppers,
} from './peppers.ts';
export { countServices } from './queries.ts';
