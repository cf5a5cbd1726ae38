import { readWalletProvider, setWalletProvider } from '../virtual-accounts/index.ts';
import { type Command, MODE, modeOf } from './command.ts';

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
