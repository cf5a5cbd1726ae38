export { removeOldRows } from './forget.ts';
export { keptForDays, RETENTION_SETTINGS, type RetentionDays, readRetention } from './kept.ts';
