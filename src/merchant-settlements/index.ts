export { createSettlementEndHook } from './conclude-settlement.ts';
export type { FindSettlementStop, SettlementDeps } from './deps.ts';
export { followSettlements, settleDue, settlementAdvanceWrites } from './due-settlements.ts';
export { wordsOfPause } from './errors.ts';
export { addHoliday, listHolidaysSince, removeHoliday } from './holidays.ts';
export { countedSql, kindSql } from './line-kinds.ts';
export { type SettlementStateRow, STATE_FILTERS } from './list-queries.ts';
export { DUE_SETTLEMENTS, settlementStates } from './queries.ts';
export { readSettlementStates } from './read-settlements.ts';
export { merchantSettlementRoutes } from './routes.ts';
export { COOLING_OFF_SECONDS, listRules, setRule, WINDOW_SECONDS } from './rules.ts';
export {
  DUE_SCHEDULES,
  HOLIDAY_CERTAINTIES,
  type HolidayRow,
  type SettlementRule,
  settingsDigest,
  settlementRuleDigest,
} from './schedule-queries.ts';
export { merchantSettlementEvents } from './schemas.ts';
export { readAutoSettlement } from './settings.ts';
export { walletSettingsDigest } from './wallet-queries.ts';
