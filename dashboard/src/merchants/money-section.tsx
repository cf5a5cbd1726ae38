import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { Amount, Copyable } from '../components/values.tsx';
import { LimitsInForce } from './limits-in-force.tsx';
import type { Merchant } from './merchant.ts';
import { RailsSection } from './rails-section.tsx';

/** What a merchant holds in each mode, how much it may pay out, and which rails pay. */
export function MoneySection({ merchant }: { merchant: Merchant }) {
  return (
    <>
      {merchant.wallets.map((wallet) => (
        <Section key={wallet.walletId} title={`Wallet, ${wallet.mode === 'LIVE' ? 'live' : 'sandbox'}`}>
          <DescriptionList
            items={[
              { label: 'Booked', value: <Amount value={wallet.bookedBalance} /> },
              { label: 'Available', value: <Amount value={wallet.availableBalance} /> },
              { label: 'Account', value: <Copyable text={wallet.accountNumber} what="account number" /> },
              { label: 'Bank', value: wallet.bankName },
              { label: 'Subaccounts', value: wallet.subaccounts, figure: true },
              { label: 'In subaccounts', value: <Amount value={wallet.subaccountBalance} /> },
            ]}
          />
        </Section>
      ))}
      <LimitsInForce merchant={merchant} />
      <RailsSection merchant={merchant} />
    </>
  );
}
