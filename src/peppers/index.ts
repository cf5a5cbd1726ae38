export { countServices } from './queries.ts';
export { needOf, type PepperState, readPeppers } from './read-peppers.ts';
export { forgetPepper, PepperMissingError, rehashAll, requirePeppers } from './rotate-peppers.ts';
