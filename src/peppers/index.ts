export { countServices } from './queries.ts';
export { needOf, type PepperState, readPeppers } from './read-peppers.ts';
export { forgetPepper, hashEverythingOver, PepperMissingError, requirePeppers } from './rotate-peppers.ts';
