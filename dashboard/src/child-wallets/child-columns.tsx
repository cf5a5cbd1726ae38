import type { ReactNode } from 'react';
import type { Column } from '../components/table.tsx';
import { Amount, Copyable, Moment } from '../components/values.tsx';

/** What a store and a subaccount have alike: a wallet of their own under the merchant's. */
export interface Child {
  name: string;
  walletId: string;
  bankName: string;
  accountName: string;
  accountNumber: string;
  bookedBalance: number;
  availableBalance: number;
  createdAt: string;
}

/** Columns of a list of them; the first is the link to the page of one. */
export function childColumns<C extends Child>(header: string, link: (child: C) => ReactNode): readonly Column<C>[] {
  return [
    {
      key: 'name',
      header,
      cell: (child) => (
        <>
          {link(child)}
          <span className="figures block font-mono text-xs text-muted sm:hidden">{child.accountNumber}</span>
        </>
      ),
    },
    {
      key: 'account',
      header: 'Account number',
      wideOnly: true,
      cell: (child) => <Copyable text={child.accountNumber} what={`account number of ${child.name}`} />,
    },
    {
      key: 'booked',
      header: 'Booked',
      align: 'right',
      wideOnly: true,
      cell: (child) => <Amount value={child.bookedBalance} />,
    },
    {
      key: 'available',
      header: 'Available',
      align: 'right',
      cell: (child) => <Amount value={child.availableBalance} className="font-medium" />,
    },
    { key: 'created', header: 'Opened', wideOnly: 'xl', cell: (child) => <Moment at={child.createdAt} show="day" /> },
  ];
}
