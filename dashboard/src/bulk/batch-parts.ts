/** What comes after the page of a batch itself: in one file, so that it is fetched at once. */
export { BatchGroups } from './batch-groups.tsx';
export { BatchItems } from './batch-items.tsx';
export { BatchOutcome } from './batch-outcome.tsx';
