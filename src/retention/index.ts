export { readRetention, removeOldRows } from './retention.ts';
export { keptForDays, RETENTION_SETTINGS, type RetentionDays } from './settings.ts';
