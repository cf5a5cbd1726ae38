import { listTierRows, setMerchantTier, setTierLimit, TIERS, type TierLimitRow } from '../limits/index.ts';
import { formatMoney, parseTypedAmount } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';
import { listRequest } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import { endList, importList, MAX_LIST_BYTES, readLists } from '../screening/index.ts';
import {
  type AdminDeps,
  type Command,
  fileOf,
  type Given,
  MODE,
  modeOf,
  momentOf,
  oneOf,
  PAGE_OPTIONS,
  pageOf,
  UsageError,
  warnOfRest,
} from './command.ts';

const MAX_MB = MAX_LIST_BYTES / 1024 / 1024;
const NO_TIER = 'NONE';
/** What a tier may limit, by the option that sets it. */
const LIMITS = {
  'single-in': 'singleInMinor',
  'daily-in': 'dailyInMinor',
  balance: 'balanceMinor',
  'single-out': 'singleOutMinor',
  'daily-out': 'dailyOutMinor',
} as const satisfies Record<string, keyof TierLimitRow>;
const limitOption = (about: string) => ({ type: 'string' as const, about: `naira of ${about}; left out: no limit` });

function limitOf(given: Given, option: keyof typeof LIMITS): bigint | null {
  const text = given.maybe(option);
  if (text === undefined) return null;
  try {
    return parseTypedAmount(text, `--${option}`);
  } catch (error) {
    throw error instanceof AppError ? new UsageError(error.message) : error;
  }
}

function tierLine(row: TierLimitRow): string {
  const limits = Object.entries(LIMITS).map(([option, field]) => {
    const minor = row[field];
    return `${option} ${minor === null ? 'none' : formatMoney(minor, 'NGN')}`;
  });
  return [row.tier, row.mode, ...limits, `from ${row.effectiveFrom.toISOString()}`, row.source].join('\t');
}

async function isAnyInForce({ database }: AdminDeps, mode: Mode): Promise<boolean> {
  const { rows } = await readLists(database, listRequest({ size: 1_000 }));
  return rows.some((row) => row.mode === mode && row.ended_at === null);
}

export const screeningCommands: readonly Command[] = [
  {
    name: 'list-screening-lists',
    about: 'the lists that names are screened against, with their versions, newest first',
    options: PAGE_OPTIONS,
    async run(deps, options) {
      const found = await readLists(deps.database, pageOf(options));
      for (const row of found.rows) {
        const state = row.ended_at === null ? 'IN_FORCE' : `ended ${row.ended_at.toISOString()}`;
        deps.print([row.name, row.mode, state, `of ${row.listed_on}`, row.entry_count, row.source].join('\t'));
      }
      warnOfRest(deps, found, 'No list is imported.');
    },
  },
  {
    name: 'import-screening-list',
    audit: 'SETTINGS',
    about: 'import a version of a list, whole or not at all; the one before it ends',
    options: {
      name: { type: 'string', about: 'what the list is called, such as UN', required: true },
      mode: MODE,
      source: { type: 'string', about: 'where it comes from', required: true },
      'listed-on': { type: 'string', about: 'the day that it gives, 2026-11-20', required: true },
      file: { type: 'string', about: 'path of a CSV with a column "name"', required: true },
    },
    async run(deps, given) {
      const { path, size, open } = await fileOf(given);
      if (size > MAX_LIST_BYTES) throw new UsageError(`--file: ${path} has more than ${MAX_MB} MB.`);
      const { listId, entries } = await importList(deps.collections(), {
        name: given.words('name'),
        mode: modeOf(given.text('mode')),
        source: given.words('source'),
        listedOn: given.text('listed-on'),
        open,
        by: deps.actor,
      });
      deps.print([listId, entries].join('\t'));
      deps.warn('The list is in force; every process goes by it within seconds.');
    },
  },
  {
    name: 'end-screening-list',
    audit: 'SETTINGS',
    about: 'end a list; what it held stays as it is',
    options: { name: { type: 'string', about: 'what the list is called', required: true }, mode: MODE },
    async run(deps, given) {
      const [name, mode] = [given.words('name'), modeOf(given.text('mode'))];
      const isEnded = await endList(deps.collections(), { name, mode, by: deps.actor });
      if (!isEnded) throw new UsageError(`--name: no list ${name} is in force in ${mode}.`);
      deps.print([name, mode, 'ENDED'].join('\t'));
    },
  },
  {
    name: 'try-screening',
    audit: 'PERSONAL_DATA',
    about: 'what a name or an account would be like by the lists in force; nothing is held by it',
    options: {
      mode: MODE,
      name: { type: 'string', about: 'a name' },
      account: { type: 'string', about: 'an account number' },
    },
    async run(deps, given) {
      const [name = null, accountNumber = null] = ['name', 'account'].map((option) =>
        given.maybe(option) === undefined ? null : given.words(option),
      );
      if (name === null && accountNumber === null) throw new UsageError('Give --name or --account.');
      if (accountNumber !== null && !/\d/.test(accountNumber))
        throw new UsageError('--account must have digits in it.');
      const subject = { name, accountNumber, bankCode: null };
      const mode = modeOf(given.text('mode'));
      const result = await deps.collections().screening.screen(mode, subject);
      deps.print(result.outcome);
      if (result.outcome === 'CLEAR' && !(await isAnyInForce(deps, mode))) {
        deps.warn(`No list is in force in ${mode}: everybody is clear.`);
      }
      if (result.outcome !== 'HIT') return;
      for (const hit of result.hits) deps.print([hit.score, hit.by, hit.list, hit.entryNumber, hit.name].join('\t'));
    },
  },
];

export const tierCommands: readonly Command[] = [
  {
    name: 'list-tier-limits',
    about: 'what merchants of each tier may do, past and future rows among them',
    options: {},
    async run(deps) {
      const rows = await listTierRows(deps.database);
      for (const row of rows) deps.print(tierLine(row));
      if (rows.length === 0) deps.warn('No limit of a tier is set: tiers limit nobody.');
    },
  },
  {
    name: 'set-tier-limit',
    audit: 'SETTINGS',
    about: 'say what merchants of a tier may do, as a dated row; a limit that is left out is none',
    options: {
      tier: { type: 'string', about: TIERS.join(', '), required: true },
      mode: MODE,
      'single-in': limitOption('one payment in'),
      'daily-in': limitOption('the payments in of a day'),
      balance: limitOption('all wallets together'),
      'single-out': limitOption('one payout'),
      'daily-out': limitOption('the payouts of a day'),
      from: { type: 'string', about: 'since when, 2026-12-01T00:00:00+01:00; now if left out' },
      reason: { type: 'string', about: 'why, for those who look later', required: true },
    },
    async run(deps, given) {
      const row = await setTierLimit(deps, {
        tier: oneOf(given, 'tier', TIERS),
        mode: modeOf(given.text('mode')),
        singleInMinor: limitOf(given, 'single-in'),
        dailyInMinor: limitOf(given, 'daily-in'),
        balanceMinor: limitOf(given, 'balance'),
        singleOutMinor: limitOf(given, 'single-out'),
        dailyOutMinor: limitOf(given, 'daily-out'),
        effectiveFrom: momentOf(given, 'from'),
        source: [given.words('reason'), deps.actor].join(', '),
      });
      deps.print(tierLine(row));
    },
  },
  {
    name: 'set-merchant-tier',
    audit: 'SETTINGS',
    about: 'set the tier of a merchant in a mode, with why',
    options: {
      merchant: { type: 'string', about: 'id of the merchant', required: true },
      mode: MODE,
      tier: { type: 'string', about: `${TIERS.join(', ')} or ${NO_TIER}`, required: true },
      reason: { type: 'string', about: 'why, for those who look later', required: true },
    },
    async run(deps, given) {
      const merchantId = given.id('merchant');
      const mode = modeOf(given.text('mode'));
      const named = oneOf(given, 'tier', [...TIERS, NO_TIER]);
      const tier = named === NO_TIER ? null : named;
      await setMerchantTier(deps, {
        tenant: { merchantId, mode },
        tier,
        reason: given.words('reason'),
        by: deps.actor,
      });
      deps.print([merchantId, mode, named].join('\t'));
    },
  },
];
