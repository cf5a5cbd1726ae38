import { archiveEvents } from '../event-archive/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { type Command, UsageError } from './command.ts';

export const eventArchiveCommands: readonly Command[] = [
  {
    name: 'archive-events',
    audit: 'SETTINGS',
    about: 'move old events of transfers between wallets, and their idempotency keys, to files in ARCHIVE_DIR',
    options: { merchant: { type: 'string', about: 'id of one merchant; all without it' } },
    async run(deps, options) {
      const { directory, afterMonths } = deps.archive ?? {};
      if (directory === undefined || afterMonths === undefined) {
        throw new UsageError('ARCHIVE_DIR must name the folder of the archive.');
      }
      if (await deps.database.isDistributed()) {
        throw new UsageError(
          'Events stay where Citus distributes the database: npm run verify cannot read the files there.',
        );
      }
      const before = monthsBefore(deps.clock.now(), afterMonths);
      const merchantId = options.maybe('merchant') === undefined ? undefined : options.id('merchant');
      if (merchantId !== undefined) await requireMerchant(deps.database, merchantId);
      const archives = await archiveEvents({ ...deps, directory }, { before, merchantId });
      for (const { merchant_id, mode, number, first_sequence, last_sequence, events, keys, file_name } of archives) {
        deps.print([merchant_id, mode, number, first_sequence, last_sequence, events, keys, file_name].join('\t'));
      }
      if (archives.length === 0) {
        deps.warn(
          `Nothing from before ${before.toISOString()} may leave: it is archived, or something still reads it.`,
        );
      } else deps.warn('The proof needs these files from now on. Keep copies of them wherever you keep backups.');
    },
  },
];

/** The same time of the day so many months ago; of the 31st, where there is none, the day after the last. */
function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - months);
  return before;
}
