import { formatMoney } from '../money/index.ts';
import {
  addRail,
  chooseRails,
  listRailAccounts,
  PROVIDER_NAMES,
  type RailAccountSummary,
  readRailBalance,
  setDefaultRails,
  setRailActive,
} from '../rail-accounts/index.ts';
import { readWalletProvider, setWalletProvider } from '../virtual-accounts/index.ts';
import { type Command, givenTenant, MERCHANT, MODE, modeOf, UsageError } from './command.ts';

const NAME = { type: 'string', about: 'name of the rail account', required: true } as const;
const ORDER = {
  first: { type: 'string', about: 'name of the rail that pays; "sandbox" is the built-in one', required: true },
  second: { type: 'string', about: 'name of the rail that gets what the first never got, or refused' },
} as const;
const KNOWN_SOON = 'Every process knows it within 5 seconds.';

const addRailCommand: Command = {
  name: 'add-rail',
  audit: 'SETTINGS',
  about: 'note an account at a provider; its credentials are read as JSON from standard input and kept sealed',
  options: {
    name: { type: 'string', about: 'how payouts will name it, for ever: paystack-live', required: true },
    provider: { type: 'string', about: PROVIDER_NAMES.join(', '), required: true },
    mode: MODE,
    'base-url': { type: 'string', about: "another address than the provider's own" },
    'open-to-merchants': { type: 'boolean', about: 'a merchant may choose it too' },
    'no-check': { type: 'boolean', about: 'do not ask for the balance first' },
    replace: { type: 'boolean', about: 'give an account that is there other credentials' },
  },
  async run(deps, options) {
    const name = options.text('name');
    const balance = await addRail(deps, {
      name,
      provider: options.text('provider').toLowerCase(),
      mode: modeOf(options.text('mode')),
      credentials: await deps.readInput(),
      baseUrl: options.maybe('base-url'),
      openToMerchants: options.flag('open-to-merchants'),
      replace: options.flag('replace'),
      check: !options.flag('no-check'),
    });
    if (balance !== undefined) deps.warn(`The provider says: ${formatMoney(balance.availableMinor, 'NGN')}.`);
    deps.warn(KNOWN_SOON);
    deps.print(name);
  },
};

const listRailsCommand: Command = {
  name: 'list-rails',
  about: 'name, provider, mode, state and priority of each rail account; never credentials',
  options: {},
  async run(deps) {
    const accounts = await listRailAccounts(deps);
    for (const account of accounts) deps.print(lineOf(account));
    if (accounts.length === 0)
      deps.warn('There are no rail accounts; sandbox merchants use the built-in sandbox rail.');
  },
};

function lineOf({
  name,
  provider,
  mode,
  active,
  openToMerchants,
  priority,
  baseUrl,
  opens,
}: RailAccountSummary): string {
  const place = priority === null ? 'no default' : `default ${priority.toLowerCase()}`;
  const open = openToMerchants ? 'open to merchants' : 'operator only';
  const state = active ? 'ACTIVE' : 'OFF';
  const words = [name, provider, mode, state, open, place, baseUrl ?? 'own address'];
  return [...words, ...(opens ? [] : ['DOES NOT OPEN'])].join('\t');
}

function activeCommand(name: string, active: boolean, about: string): Command {
  return {
    name,
    about,
    options: { name: NAME },
    async run(deps, options) {
      await setRailActive(deps, options.text('name'), active);
      deps.warn(KNOWN_SOON);
      deps.print(active ? 'on' : 'off');
    },
  };
}

const defaultRailCommand: Command = {
  name: 'default-rail',
  about: 'the rails of merchants that chose none',
  options: { mode: MODE, ...ORDER },
  async run(deps, options) {
    await setDefaultRails(deps, {
      mode: modeOf(options.text('mode')),
      first: options.text('first'),
      second: options.maybe('second'),
    });
    deps.warn(KNOWN_SOON);
    deps.print('done');
  },
};

const chooseRailCommand: Command = {
  name: 'choose-rail',
  about: 'the rails of one merchant; --default goes back to the default of the mode',
  options: {
    merchant: MERCHANT,
    mode: MODE,
    first: { type: 'string', about: ORDER.first.about },
    second: ORDER.second,
    default: { type: 'boolean', about: 'take the choice back' },
  },
  async run(deps, options) {
    if (options.flag('default') && (options.maybe('first') ?? options.maybe('second')) !== undefined) {
      throw new UsageError('--default goes without --first and --second.');
    }
    const first = options.flag('default') ? null : options.text('first');
    await chooseRails(deps, { tenant: givenTenant(options), first, second: options.maybe('second'), by: 'OPERATOR' });
    deps.warn(KNOWN_SOON);
    deps.print('done');
  },
};

const railBalanceCommand: Command = {
  name: 'rail-balance',
  about: 'ask the provider what is in an account',
  options: { name: NAME },
  async run(deps, options) {
    const { availableMinor } = await readRailBalance(deps, options.text('name'));
    deps.print(formatMoney(availableMinor, 'NGN'));
  },
};

export const railCommands: readonly Command[] = [
  addRailCommand,
  listRailsCommand,
  activeCommand('disable-rail', false, 'give a rail no new payouts; open ones are still asked about'),
  activeCommand('enable-rail', true, 'give a rail payouts again'),
  defaultRailCommand,
  chooseRailCommand,
  railBalanceCommand,
];

const walletProviderCommand: Command = {
  name: 'wallet-provider',
  audit: 'SETTINGS',
  about: 'the provider account at which wallets get the account numbers that anybody can pay to',
  options: {
    mode: MODE,
    name: { type: 'string', about: 'name of the provider account, see list-rails', required: true },
    bank: { type: 'string', about: "a bank that is preferred, in the provider's own words: wema-bank" },
  },
  async run(deps, options) {
    const preferredBank = options.maybe('bank') ?? null;
    await setWalletProvider(deps, { mode: modeOf(options.text('mode')), name: options.text('name'), preferredBank });
    deps.warn('New wallets ask it from now on, and those that are there within minutes.');
    deps.print('done');
  },
};

const showWalletProviderCommand: Command = {
  name: 'show-wallet-provider',
  about: 'at which provider account wallets get their account numbers',
  options: { mode: MODE },
  async run(deps, options) {
    const found = await readWalletProvider(deps, modeOf(options.text('mode')));
    if (found === undefined) deps.warn('None: only generated numbers, which nobody can pay to.');
    else deps.print([found.rail, found.preferred_bank ?? 'any bank'].join('\t'));
  },
};

export const walletProviderCommands: readonly Command[] = [walletProviderCommand, showWalletProviderCommand];
