import type { ReactNode } from 'react';
import { type Session, useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';

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
      cell: (child) =>
        child.accountNumber === '' ? (
          <span className="text-muted">Not opened yet</span>
        ) : (
          <Copyable text={child.accountNumber} what={`account number of ${child.name}`} />
        ),
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

export interface OpenChildDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  hint: string;
  /** The verb: "Open store". */
  send: string;
  /** Opens it and shows it. @throws ApiError */
  onSend: (name: string) => Promise<unknown>;
  children: ReactNode;
}

const MOST_CHARACTERS = 80;

/** Opens a store or a subaccount. Rendered for as long as its page stands: what was typed outlives its closing. */
export function OpenChildDialog({ open, onClose, title, hint, send, onSend, children }: OpenChildDialogProps) {
  const server = useServerForm<{ name: string }>({ defaultValues: { name: '' } });
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      description={children}
      server={server}
      onSend={({ name }) => onSend(name.trim())}
      send={send}
    >
      <Field
        form={server.form}
        name="name"
        label="Name"
        hint={hint}
        rules={{ validate: (name) => (name.trim() === '' ? 'Enter a name.' : undefined) }}
      >
        {(control) => <Input {...control} maxLength={MOST_CHARACTERS} autoComplete="off" autoFocus />}
      </Field>
    </FormDialog>
  );
}

/** Whether a service of the merchant is switched on; the operator switches them. */
export function useService(service: NonNullable<Session['merchant']>['services'][number]): boolean {
  return useSession().merchant?.services.includes(service) === true;
}

/** Instead of a page that the operator has not switched on for this merchant. */
export function ServiceMissing({ what }: { what: string }) {
  return (
    <Alert tone="info" title={`${what} are not switched on for your business`}>
      Ask your operator to enable the service. What already exists is kept.
    </Alert>
  );
}
