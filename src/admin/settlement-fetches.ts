import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { manyOf } from '../platform/text.ts';
import { readSettlementFetches, requestSettlementFetch } from '../provider-settlements/index.ts';
import { type Command, dayOf, MODE, modeOf, PAGE_OPTIONS, pageOf, warnOfRest } from './command.ts';
import { lumpOf } from './provider-settlements.ts';

const fetchCommand: Command = {
  name: 'fetch-provider-settlement',
  about: 'ask a provider for the lines of a settlement that no list and no webhook brought; another person applies it',
  options: {
    rail: { type: 'string', about: 'name of the provider account', required: true },
    mode: MODE,
    reference: { type: 'string', about: "the provider's own, of this settlement", required: true },
    'lump-sum': { type: 'string', about: 'naira that arrived', required: true },
    'settled-on': { type: 'string', about: 'the day on which it did, 2026-11-20', required: true },
  },
  async run(deps, options) {
    const isNew = await requestSettlementFetch(deps.collections(), {
      rail: options.text('rail'),
      mode: modeOf(options.text('mode')),
      reference: options.text('reference'),
      lumpMinor: lumpOf(options),
      settledOn: dayOf(options, 'settled-on'),
      email: deps.actor,
    });
    deps.print(isNew ? 'asked for' : 'known already');
    if (isNew) deps.warn('A running service reads its lines within seconds: see list-settlement-fetches.');
  },
};

const list: Command = {
  name: 'list-settlement-fetches',
  about: 'settlements that providers list or report, and what became of fetching them, newest first',
  options: PAGE_OPTIONS,
  async run(deps, options) {
    const found = await readSettlementFetches(deps.database, pageOf(options));
    for (const row of found.rows) {
      const { rail, mode, reference, status, settled_on, lump_minor, source, attempts, reason, settlement_id } = row;
      const sum = formatMoney(lump_minor, DEFAULT_CURRENCY);
      const failed = attempts === 0 ? '' : `failed ${manyOf(attempts, 'time')}: ${reason ?? ''}`;
      deps.print([rail, mode, reference, status, settled_on, sum, source, settlement_id ?? '', failed].join('\t'));
    }
    warnOfRest(deps, found, 'No provider has listed a settlement yet.');
  },
};

export const settlementFetchCommands: readonly Command[] = [fetchCommand, list];
