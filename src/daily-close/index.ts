export { drawClose } from './close-drawer.ts';
export {
  CLOSE_TOTALS,
  type CloseFigures,
  type CloseTotal,
} from './close-figures.ts';
export {
  JOURNAL_KINDS,
  journalCsv,
  journalLedger,
  journalOf,
  readJournalAccounts,
  setJournalAccount,
} from './journal.ts';
export { closeDigest, type DailyCloseRow } from './queries.ts';
export { lastDay, readCloses, readDay, type ShownDay, signedFigures } from './read-closes.ts';
export { type ReceivableStatement, readReceivables } from './read-receivables.ts';
export { reopenClose, requireClose, signClose, signCloseSecond } from './sign-close.ts';
export { closeCsv, TOTAL_WORDS } from './views.ts';
