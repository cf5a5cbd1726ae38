export {
  keptForDays,
  RETENTION_SETTINGS,
  type RetentionDays,
  readRetention,
  removeOldRows,
} from './retention.ts';
