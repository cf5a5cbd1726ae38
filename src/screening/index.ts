export { endList, importList, readLists } from './import-list.ts';
export { createNameIndex, HIT_FROM, type ScreeningHit } from './name-index.ts';
export type { ListRow } from './queries.ts';
export { MAX_ENTRIES, MAX_LIST_BYTES } from './read-list-file.ts';
export { createScreening, type Screening, type ScreeningResult } from './screening.ts';
