/** What comes after the page of a batch itself: in one file, so that it is fetched at once. */
export { BatchDifference } from '../batch-difference/batch-difference.tsx';
export { BatchBar } from './batch-bar.tsx';
export { BatchGroups } from './batch-groups.tsx';
export { BatchItems } from './batch-items.tsx';
export { BatchOutcome } from './batch-outcome.tsx';
export { DispatchBatch } from './dispatch-batch.tsx';
export { RepeatList } from './repeat-list.tsx';
