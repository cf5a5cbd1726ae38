import {
  addHoliday,
  HOLIDAY_CERTAINTIES,
  type HolidayRow,
  listHolidaysSince,
  listRules,
  removeHoliday,
  type SettlementRule,
  setRule,
} from '../merchant-settlements/index.ts';
import { formatMoney, parseTypedAmount } from '../money/index.ts';
import { lagosDay } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { type Command, type Given, MODE, modeOf, momentOf, oneOf, UsageError } from './command.ts';

const SWITCH = ['on', 'off'] as const;

/** Kobo; undefined is as before. */
function minimumOf(given: Given): bigint | undefined {
  const text = given.maybe('minimum');
  if (text === undefined) return undefined;
  try {
    return parseTypedAmount(text, '--minimum');
  } catch (error) {
    throw error instanceof AppError ? new UsageError(error.message) : error;
  }
}

const ruleLine = (rule: SettlementRule): string =>
  [
    rule.mode,
    rule.merchantId ?? 'all merchants',
    rule.isEnabled ? 'on' : 'off',
    `at least ${formatMoney(rule.minimumMinor, 'NGN')}`,
    `window ${rule.windowSeconds} s`,
    `cooling-off ${rule.coolingOffSeconds} s`,
    `from ${rule.effectiveFrom.toISOString()}`,
    rule.source,
  ].join('\t');

const holidayLine = (row: HolidayRow): string =>
  [
    row.id,
    row.day,
    row.certainty,
    row.name,
    row.source,
    row.removed_at === null ? '' : `removed by ${row.removed_by}`,
  ].join('\t');

/** A row with none of these would be what is in force already. */
const SET_BY = ['settle', 'minimum', 'window', 'cooling-off'];

export const merchantSettlementCommands: readonly Command[] = [
  {
    name: 'set-settlement-terms',
    audit: 'SETTINGS',
    about: 'say on which terms collections go to the banks of merchants',
    options: {
      mode: MODE,
      merchant: { type: 'string', about: 'id of one merchant; left out: all merchants' },
      settle: { type: 'string', about: 'on or off' },
      minimum: { type: 'string', about: 'naira that a settlement is at least' },
      window: { type: 'string', about: 'seconds for which payments go together where they are settled at once' },
      'cooling-off': { type: 'string', about: 'seconds after another settlement account was accepted' },
      from: { type: 'string', about: 'since when, 2026-12-01T00:00:00+01:00; now if left out' },
      reason: { type: 'string', about: 'why, for those who look later', required: true },
    },
    async run(deps, given) {
      const merchantId = given.maybeId('merchant') ?? null;
      if (SET_BY.every((option) => given.maybe(option) === undefined)) {
        throw new UsageError(`Nothing is given to set: ${SET_BY.map((option) => `--${option}`).join(', ')}.`);
      }
      const rule = await setRule(deps, {
        merchantId,
        mode: modeOf(given.text('mode')),
        isEnabled: given.maybe('settle') === undefined ? undefined : oneOf(given, 'settle', SWITCH) === 'on',
        minimumMinor: minimumOf(given),
        windowSeconds: given.count('window'),
        coolingOffSeconds: given.count('cooling-off'),
        effectiveFrom: momentOf(given, 'from'),
        source: [given.words('reason'), deps.actor].join(', '),
      });
      deps.print(ruleLine(rule));
    },
  },
  {
    name: 'list-settlement-terms',
    about: 'the terms of settlements to merchants, past and future ones among them',
    options: {},
    async run(deps) {
      for (const rule of await listRules(deps.database)) deps.print(ruleLine(rule));
    },
  },
  {
    name: 'add-bank-holiday',
    audit: 'SETTINGS',
    about: 'add a day on which banks are closed',
    options: {
      day: { type: 'string', about: 'the day, 2026-12-25', required: true },
      name: { type: 'string', about: 'what it is called', required: true },
      certainty: { type: 'string', about: HOLIDAY_CERTAINTIES.join(' or '), required: true },
      source: { type: 'string', about: 'where it is declared', required: true },
    },
    async run(deps, given) {
      const row = await addHoliday(deps, {
        day: given.text('day'),
        name: given.words('name'),
        certainty: oneOf(given, 'certainty', HOLIDAY_CERTAINTIES),
        source: given.words('source'),
        setBy: deps.actor,
      });
      deps.print(holidayLine(row));
    },
  },
  {
    name: 'remove-bank-holiday',
    audit: 'SETTINGS',
    about: 'let a bank holiday count no more',
    options: { id: { type: 'string', about: 'as list-bank-holidays has it', required: true } },
    async run(deps, given) {
      deps.print(holidayLine(await removeHoliday(deps, { id: given.id('id'), removedBy: deps.actor })));
    },
  },
  {
    name: 'list-bank-holidays',
    about: 'days of this year and later on which banks are closed, with those that were removed',
    options: {},
    async run(deps) {
      const since = `${lagosDay(deps.clock.now()).slice(0, 4)}-01-01`;
      for (const row of await listHolidaysSince(deps.database, since)) deps.print(holidayLine(row));
    },
  },
];
