import { archiveEvents } from '../event-archive/index.ts';
import type { EventArchiveRow } from '../ledger/index.ts';
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
      const before = monthsBefore(deps.clock.now(), afterMonths);
      const merchantId = options.maybeId('merchant');
      let archived = 0;
      const onArchived = (archive: EventArchiveRow) => {
        archived += 1;
        deps.print(lineOf(archive));
      };
      try {
        await archiveEvents({ ...deps, directory, onArchived }, { before, merchantId });
      } finally {
        if (archived > 0)
          deps.warn('The proof needs these files from now on. Keep copies of them wherever you keep backups.');
      }
      if (archived === 0) {
        deps.warn(
          `Nothing from before ${before.toISOString()} may leave: it is archived, or something still reads it.`,
        );
      }
    },
  },
];

const lineOf = ({ merchant_id, mode, number, ...archive }: EventArchiveRow): string =>
  [
    merchant_id,
    mode,
    number,
    archive.first_sequence,
    archive.last_sequence,
    archive.events,
    archive.keys,
    archive.file_name,
  ].join('\t');

/** The same time of the day so many months ago; of the 31st, where there is none, the day after the last. */
function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - months);
  return before;
}
