import { AVAILABILITIES, type AvailabilityRule, listAvailability, setAvailability } from '../availability/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { type Command, MODE, modeOf, momentOf, oneOf } from './command.ts';

const ONE_MERCHANT = { type: 'string', about: 'id of one merchant; left out: all merchants' } as const;

export const availabilityCommands: readonly Command[] = [
  {
    name: 'set-availability',
    audit: 'SETTINGS',
    about: 'say when payments in are available: once they are confirmed, or once the provider has settled them',
    options: {
      mode: MODE,
      merchant: ONE_MERCHANT,
      availability: { type: 'string', about: AVAILABILITIES.join(' or '), required: true },
      from: { type: 'string', about: 'since when, 2026-12-01T00:00:00+01:00; in two minutes if left out' },
      reason: { type: 'string', about: 'why, for those who look later', required: true },
    },
    async run(deps, given) {
      const merchantId = given.maybe('merchant') === undefined ? null : given.id('merchant');
      if (merchantId !== null) await requireMerchant(deps.database, merchantId);
      const rule = await setAvailability(deps, {
        merchantId,
        mode: modeOf(given.text('mode')),
        availability: oneOf(given, 'availability', AVAILABILITIES),
        effectiveFrom: momentOf(given, 'from'),
        source: [given.words('reason'), deps.actor].join(', '),
      });
      deps.print(lineOf(rule));
    },
  },
  {
    name: 'list-availability',
    about: 'when payments in are available: of all merchants and of single ones, past and future rules among them',
    options: { merchant: { ...ONE_MERCHANT, about: 'only what one merchant goes by' } },
    async run(deps, given) {
      const merchantId = given.maybe('merchant') === undefined ? undefined : given.id('merchant');
      const rules = await listAvailability(deps.database);
      const wanted = rules.filter((rule) => merchantId === undefined || [null, merchantId].includes(rule.merchantId));
      for (const rule of wanted) deps.print(lineOf(rule));
      if (wanted.length === 0) deps.warn('There is no rule: every payment in is available once it is confirmed.');
    },
  },
];

const lineOf = ({ mode, merchantId, availability, effectiveFrom, source }: AvailabilityRule): string =>
  [mode, merchantId ?? 'all merchants', availability, `from ${effectiveFrom.toISOString()}`, source].join('\t');
