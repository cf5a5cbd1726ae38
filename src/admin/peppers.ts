import {
  countServices,
  forgetEncryptionKey,
  forgetPepper,
  needOf,
  type PepperState,
  readPeppers,
  rehashAll,
} from '../peppers/index.ts';
import { runAlone } from '../platform/db/alone.ts';
import { manyOf } from '../platform/text.ts';
import { type AdminDeps, type Command, type Given, UsageError } from './command.ts';

export const pepperCommands: readonly Command[] = [
  {
    name: 'list-peppers',
    about: 'the peppers that stored hashes are under, what needs each, and which may go',
    options: {},
    run: (deps) => printNeeds(deps),
  },
  {
    name: 'rotate-pepper',
    audit: 'KEYS',
    about: 'a new pepper, laid over every stored PIN and recovery code; nothing has to be given anew',
    options: {
      finish: { type: 'boolean', about: 'with the new settings in force: lay the new pepper over what is stored' },
    },
    async run(deps, options) {
      const { file, settingsWithNew } = deps.peppers;
      if (options.flag('finish')) return alone(deps, () => finish(deps));
      if (file !== undefined) {
        return alone(deps, async () => {
          await requireNobodyElse(deps);
          await finish({ ...deps, secrets: file.add() });
          deps.warn(
            'If a `serve` or `work` has outlived the database, which nobody sees here, start it anew: it does not know this pepper.',
          );
        });
      }
      for (const line of settingsWithNew()) deps.print(line);
      deps.warn(
        'Nothing has changed yet. Keep these two settings now: they are nowhere else.\n' +
          'Restart every process with them, and run `npm run admin -- rotate-pepper --finish` with them. Where one process ' +
          'at a time is restarted, give all of them the new pepper in PIN_PEPPER_PREVIOUS first, so that each knows it ' +
          'before one makes hashes under it.',
      );
    },
  },
  {
    name: 'forget-pepper',
    audit: 'KEYS',
    about: 'abandon a pepper that nothing needs any more, or that is lost',
    options: {
      pepper: { type: 'string', about: 'its id, as list-peppers shows it', required: true },
      'it-is-lost': {
        type: 'boolean',
        about: 'also what needs it: PINs are unset, keys revoked, recovery codes emptied',
      },
      reason: { type: 'string', about: 'why; kept in the audit log' },
    },
    run: (deps, options) => alone(deps, () => forget(deps, options)),
  },
  {
    name: 'forget-encryption-key',
    audit: 'KEYS',
    about:
      'let another key-encryption key begin where the present one is lost; what is sealed under that opens no more',
    options: {
      key: { type: 'string', about: 'its id, as the refused start says it', required: true },
      reason: { type: 'string', about: 'why; kept in the audit log', required: true },
    },
    async run(deps, options) {
      const id = options.text('key');
      options.words('reason');
      if (id === deps.secrets.encryptionKeyId)
        throw new UsageError('This key is the one that is given: nothing is lost.');
      if (!(await forgetEncryptionKey(deps.database, id))) throw new UsageError(`Nothing is sealed under a key ${id}.`);
      deps.warn(
        'Give the accounts of rails their credentials again (add-rail --replace), and see what else is sealed.',
      );
      deps.print(`${id} is forgotten`);
    },
  },
];

/** Any number that nobody else uses for a lock of this kind. */
const LOCK = 4_207_116;

/** Each reads the peppers and writes them anew: of two at once, one would write over the pepper that the other lays over all. */
async function alone(deps: AdminDeps, work: () => Promise<void>): Promise<void> {
  const done = await runAlone(deps.database, LOCK, async () => {
    await work();
    return true;
  });
  if (done === undefined) throw new UsageError('Another process changes the peppers. Wait until it has ended.');
}

async function forget(deps: AdminDeps, options: Given): Promise<void> {
  const id = options.text('pepper');
  const pepper = (await read(deps)).find((one) => one.id === id);
  if (pepper === undefined) throw new UsageError(`This database knows no pepper ${id}, and it is not given.`);
  if (pepper.isCurrent) throw new UsageError('New hashes are made under this pepper: rotate first.');
  const need = needOf(pepper);
  const isLost = options.flag('it-is-lost');
  if (need !== undefined && !isLost)
    throw new UsageError(`What still needs it: ${need}. With --it-is-lost it is abandoned.`);
  if (isLost) options.words('reason');
  await forgetPepper(deps, id);
  deps.peppers.file?.remove(id);
  if (need !== undefined) deps.warn(`Worth nothing any more, and to be set or made anew: ${need}.`);
  if (deps.peppers.file === undefined) deps.warn('Take it out of PIN_PEPPER_PREVIOUS.');
  deps.print(`${id} is forgotten`);
}

async function finish(deps: AdminDeps): Promise<void> {
  const { pins, recoveryCodes } = await rehashAll(deps);
  deps.warn(
    `The pepper ${deps.secrets.pepperId} is laid over ${manyOf(pins, 'PIN')} and ${manyOf(recoveryCodes, "person's recovery codes", "people's recovery codes")}.`,
  );
  await printNeeds(deps);
}

/** A service that runs would not know the new pepper before its next start, and could check no PIN until then. */
async function requireNobodyElse({ database }: AdminDeps): Promise<void> {
  const [row] = await database.query(countServices, [process.pid]);
  if ((row?.services ?? 0) > 0) {
    throw new UsageError('A service runs on this database. Stop it first: it reads its pepper once, when it starts.');
  }
}

const read = ({ database, secrets, clock }: AdminDeps) => readPeppers({ queries: database, secrets, clock });

async function printNeeds(deps: AdminDeps): Promise<void> {
  for (const pepper of await read(deps)) {
    const { pins, keys, recoveryCodes, seals } = pepper;
    const counted = [
      `PINs ${pins.rows} (${pins.alone} under it alone)`,
      `keys ${keys.rows}`,
      `recovery codes ${recoveryCodes.rows} (${recoveryCodes.alone} under it alone)`,
      `seals ${seals.rows}`,
    ];
    const since = `since ${pepper.firstUsedAt.toISOString()}`;
    deps.print([pepper.id, pepper.isGiven ? 'given' : 'NOT GIVEN', since, ...counted, verdictOn(pepper)].join('\t'));
  }
}

function verdictOn(pepper: PepperState): string {
  if (pepper.isCurrent) return 'for new hashes';
  const need = needOf(pepper);
  if (need !== undefined) return `needed until these are given, used or made once more: ${need}`;
  const from = pepper.endsAt?.toISOString() ?? '';
  const proof = pepper.seals.rows > 0 ? ', and `verify` proves its seals of the audit log no more without it' : '';
  return `may go from ${from}, when sessions and links of mails under it have ended${proof}`;
}
