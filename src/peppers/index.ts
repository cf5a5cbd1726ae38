export { countServices } from './queries.ts';
export { needOf, type PepperState, readPeppers } from './read-peppers.ts';
export { PepperMissingError, requirePeppers } from './require-peppers.ts';
export { forgetPepper, hashEverythingOver } from './rotate-peppers.ts';
