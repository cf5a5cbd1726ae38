import { abandonArchive, archiveEvents, requireArchive } from '../event-archive/index.ts';
import type { EventArchiveRow } from '../ledger/index.ts';
import { type AdminDeps, type Command, UsageError } from './command.ts';

export const eventArchiveCommands: readonly Command[] = [
  {
    name: 'archive-events',
    audit: 'SETTINGS',
    about: 'move old events of transfers between wallets, and their idempotency keys, to files in ARCHIVE_DIR',
    options: { merchant: { type: 'string', about: 'id of one merchant; all without it' } },
    async run(deps, options) {
      const { directory, afterMonths } = requireFolder(deps);
      const before = monthsBefore(deps.clock.now(), afterMonths);
      const merchantId = options.maybeId('merchant');
      let archived = 0;
      const onArchived = (archive: EventArchiveRow) => {
        archived += 1;
        deps.print(lineOf(archive));
      };
      const onFound = ({ file_name }: EventArchiveRow) =>
        deps.warn(`${file_name} was abandoned and is there again: it is read like the others from now on.`);
      try {
        await archiveEvents({ ...deps, directory, onArchived, onFound }, { before, merchantId });
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
  {
    name: 'abandon-archive',
    audit: 'SETTINGS',
    about: 'abandon a file of archived events of which no copy exists: archiving goes on, and every proof names it',
    options: {
      lost: { type: 'string', required: true, about: 'name of the file, as the proof has it' },
      reason: { type: 'string', required: true, about: 'what became of it and of its copies, for the history' },
    },
    merchantOf: async ({ database }, options) => (await requireArchive(database, options.text('lost'))).merchant_id,
    async run(deps, options) {
      const { directory } = requireFolder(deps);
      const loss = { fileName: options.text('lost'), reason: options.words('reason'), actor: deps.actor };
      const { archive, others, othersThere } = await abandonArchive({ ...deps, directory }, loss);
      deps.print(lineOf(archive));
      deps.warn(
        'Later events of its merchant are archived from now on, and every proof says that this file is not read. Once it is in the folder again it is taken back.',
      );
      if (others > 0 && othersThere === 0)
        deps.warn(`None of the ${others} other files is in ${directory} either: see that ARCHIVE_DIR is the folder.`);
    },
  },
];

function requireFolder({ archive }: AdminDeps): { directory: string; afterMonths: number } {
  const { directory, afterMonths } = archive ?? {};
  if (directory === undefined || afterMonths === undefined)
    throw new UsageError('ARCHIVE_DIR must name the folder of the archive.');
  return { directory, afterMonths };
}

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
