import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { PinField } from '../components/pin-field.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import { KeepField, nairaOf, typedNaira } from './keep-field.tsx';

type WalletSettings = Data<'get', '/collection/settlement/wallet/{childWalletId}'>;

const OPTIONS = [
  { value: 'yes', label: 'To the bank, with the main wallet' },
  { value: 'no', label: 'It stays in this wallet' },
];

/** Of a store or subaccount: whether what it collects goes to the bank, and the last time that it did. */
export function WalletSettlement({ walletId }: { walletId: string }) {
  const mode = useMode();
  const may = useMay();
  const [open, setOpen] = useState(false);
  const settings = useRead('/collection/settlement/wallet/{childWalletId}', { path: { childWalletId: walletId } }).data;
  if (settings === undefined) return null;
  const { settled, keepInWallet, lastSettlementId, lastSettlementNumber, lastResultWords } = settings;
  return (
    <Section
      title="Settlement to the bank"
      actions={
        may('settlement:manage', mode) && (
          <Button size="small" onClick={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          { label: 'What is collected', value: settled ? 'Goes to the bank' : 'Stays in this wallet' },
          ...(settled ? [{ label: 'Stays in the wallet', value: <Amount value={keepInWallet} />, figure: true }] : []),
          ...(lastSettlementId === null
            ? []
            : [
                {
                  label: 'Last settlement',
                  value: (
                    <Link
                      to="/collections/settlements/$settlementId"
                      params={{ settlementId: lastSettlementId }}
                      className="text-accent underline"
                    >
                      No. {lastSettlementNumber}
                    </Link>
                  ),
                },
              ]),
          ...(lastResultWords === null ? [] : [{ label: 'At the last turn', value: lastResultWords }]),
        ]}
      />
      {open && <WalletSettlementDialog settings={settings} onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface Values {
  settled: string;
  keepInWallet: string;
  pin: string;
}

function WalletSettlementDialog({ settings, onClose }: { settings: WalletSettings; onClose: () => void }) {
  const change = useAction('patch', '/collection/settlement/wallet/{childWalletId}', {
    changes: ['/collection/settlement'],
  });
  const { walletId, version, keepInWallet } = settings;
  const server = useServerForm<Values>({
    defaultValues: {
      settled: settings.settled || version === 0 ? 'yes' : 'no',
      keepInWallet: typedNaira(keepInWallet),
      pin: '',
    },
  });
  const { form } = server;

  async function send({ settled, keepInWallet: kept, pin }: Values): Promise<void> {
    const body = { settled: settled === 'yes', keepInWallet: nairaOf(kept), pin };
    await change.run({ path: { childWalletId: walletId }, body });
    toast({ tone: 'good', text: 'Saved. The owners are notified by mail.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Settlement of this wallet"
      description="It has settlements of its own, to the account that was reviewed, whenever the main wallet has its turn. They begin with the day on which this is first saved."
      server={server}
      onSend={send}
      send="Save settings"
    >
      <Field form={form} name="settled" label="What is collected">
        {(control) => <Select {...control} options={OPTIONS} />}
      </Field>
      {form.watch('settled') === 'yes' && <KeepField form={form} />}
      <PinField form={form} />
    </FormDialog>
  );
}
