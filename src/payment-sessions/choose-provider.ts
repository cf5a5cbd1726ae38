import type { Database } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { PaymentChannel, WalletCaller, WalletCapabilities } from '../rails/index.ts';
import { findDefaultWalletProvider } from '../wallets/index.ts';
import { amountRuleNotOffered, channelNotOffered, collectionNotOffered } from './errors.ts';
import type { AmountRule } from './queries.ts';

export type SessionChannel = 'BANK_TRANSFER' | 'HOSTED' | 'CARD';

/** The name of the provider account of a mode; undefined where the operator chose none. */
export type FindWalletProvider = (mode: Mode) => Promise<string | undefined>;

/** Callers at the same time share one question for each mode. */
export function createWalletProviders(database: Database): FindWalletProvider {
  const ask = async (mode: Mode) => (await database.query(findDefaultWalletProvider, [mode]))[0]?.rail;
  return createGroupReader(async (modes: Mode[]) => {
    const asked = [...new Set(modes)];
    const names = await Promise.all(asked.map(ask));
    return modes.map((mode) => names[asked.indexOf(mode)]);
  });
}

/** The built-in bank, which is used where the operator chose none. */
const SANDBOX_BANK = 'sandbox';

/** Whether cards may be used. A sandbox may always try them; in live mode it takes the service. */
export const mayTakeCards = ({ mode }: Tenant, services: { has(key: 'CARD'): boolean }): boolean =>
  mode === 'SANDBOX' || services.has('CARD');

interface Wanted {
  mode: Mode;
  channels: readonly SessionChannel[];
  amountRule: AmountRule;
  /** As `mayTakeCards` says. */
  mayTakeCards: boolean;
  /** Where the provider's page sends the payer. */
  returnUrl: string | null;
}

/** At which provider account a session is opened, and as what. */
export interface ChosenProvider {
  rail: string;
  opens: 'ACCOUNT' | 'PAGE';
  /** What the page may offer; none for an account number. */
  pageChannels: readonly PaymentChannel[];
  wallets: WalletCaller;
}

/**
 * The wallet provider of the mode, and how it takes what is wanted: an account number where it gives them and no card is
 * wanted, its page otherwise.
 * @throws AppError `COLLECTION_NOT_OFFERED`, `CHANNEL_NOT_OFFERED`, `AMOUNT_RULE_NOT_OFFERED`; `VALIDATION_FAILED` for a page
 *   without a `returnUrl`
 */
export async function chooseProvider(deps: ChooseDeps, wanted: Wanted): Promise<ChosenProvider> {
  const { rail, wallets } = await findProvider(deps, wanted.mode);
  const chosen = waysOf(wallets.capabilities, wanted);
  const { oneTimeAccount } = wallets.capabilities;
  if (chosen.opens === 'ACCOUNT' && oneTimeAccount?.otherAmounts === 'REFUSES' && wanted.amountRule !== 'EXACT') {
    throw amountRuleNotOffered();
  }
  if (chosen.opens === 'PAGE' && wanted.returnUrl === null) {
    throw invalidField('returnUrl', 'is needed for a page of the provider');
  }
  return { rail, wallets, ...chosen };
}

interface ChooseDeps {
  walletProviders: FindWalletProvider;
  rails: RailDirectory;
}

async function findProvider(
  { walletProviders, rails }: ChooseDeps,
  mode: Mode,
): Promise<{ rail: string; wallets: WalletCaller }> {
  const rail = (await walletProviders(mode)) ?? (mode === 'SANDBOX' ? SANDBOX_BANK : undefined);
  const wallets = rail === undefined ? undefined : (await rails.findRail(mode, rail))?.wallets;
  if (rail === undefined || wallets === undefined) throw collectionNotOffered();
  return { rail, wallets };
}

function waysOf(
  { oneTimeAccount, hostedPage }: WalletCapabilities,
  { channels, mayTakeCards: areCardsAllowed }: Wanted,
): Omit<ChosenProvider, 'rail' | 'wallets'> {
  const wantsCard = channels.includes('CARD');
  if (wantsCard && !areCardsAllowed) throw channelNotOffered();
  if (!wantsCard && channels.includes('BANK_TRANSFER') && oneTimeAccount !== undefined) {
    return { opens: 'ACCOUNT', pageChannels: [] };
  }
  const pageChannels = (hostedPage?.channels ?? []).filter((channel) => {
    if (channel === 'CARD') return wantsCard;
    return channels.includes('HOSTED') || (channel === 'BANK_TRANSFER' && channels.includes('BANK_TRANSFER'));
  });
  if (pageChannels.length === 0 || (wantsCard && !pageChannels.includes('CARD'))) throw channelNotOffered();
  return { opens: 'PAGE', pageChannels };
}
