import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { modeName } from '../format/modes.ts';
import { ROLE_NAMES } from '../people/roles.ts';
import type { Merchant } from './merchant.tsx';

type Person = Merchant['people'][number];
type Pin = Merchant['pins'][number];

const COLUMNS: readonly Column<Person>[] = [
  {
    key: 'name',
    header: 'Person',
    cell: ({ firstName, lastName, email }) => (
      <div>
        <p className="font-medium">{`${firstName} ${lastName}`.trim() || email}</p>
        <p className="text-xs break-all text-muted">{email}</p>
      </div>
    ),
  },
  { key: 'role', header: 'Role', cell: ({ role }) => roleWord(role) },
  { key: 'status', header: 'State', wideOnly: true, cell: ({ status }) => <Status status={status} /> },
  { key: 'factor', header: 'Second factor', wideOnly: true, cell: ({ secondFactor }) => (secondFactor ? 'On' : 'Off') },
  { key: 'seen', header: 'Last seen', wideOnly: true, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
];

const roleWord = (role: string | null) =>
  role !== null && role in ROLE_NAMES ? ROLE_NAMES[role as keyof typeof ROLE_NAMES] : '–';

/** Who signs in for a merchant, its keys, and its PINs. */
export function PeopleSection({ merchant }: { merchant: Merchant }) {
  const { people, keys } = merchant;
  return (
    <>
      <Section title="People" bare>
        <Table
          caption="People of this merchant"
          columns={COLUMNS}
          rowKey={({ personId }) => personId}
          rows={people}
          empty={<EmptyState title="Nobody signs in for it">It was taken in from the operator's terminal.</EmptyState>}
        />
      </Section>
      <Section title="API keys">
        <DescriptionList
          items={keys.map(({ mode, active, rotationDue }) => ({
            label: modeName(mode),
            value: `${active} active${rotationDue > 0 ? `, ${rotationDue} older than 90 days` : ''}`,
            figure: true,
          }))}
        />
      </Section>
      <PinSection merchant={merchant} />
    </>
  );
}

function PinSection({ merchant: { merchantId, businessName, pins } }: { merchant: Merchant }) {
  const unlock = useAction('post', '/operator/merchant/{merchantId}/unlock-pin', { changes: ['/operator'] });
  const [asking, setAsking] = useState<Pin['mode']>();
  async function go(mode: Pin['mode']): Promise<void> {
    await unlock.run({ path: { merchantId }, body: { mode } });
    toast({ tone: 'good', text: `The ${mode.toLowerCase()} PIN is unlocked.` });
  }
  return (
    <Section title="PINs">
      <DescriptionList
        items={pins.map((pin) => ({
          label: modeName(pin.mode),
          value: <PinOfMode pin={pin} onUnlock={() => setAsking(pin.mode)} />,
        }))}
      />
      {asking !== undefined && (
        <ConfirmDialog
          open
          onClose={() => setAsking(undefined)}
          title={`Unlock the ${asking.toLowerCase()} PIN?`}
          confirm="Unlock"
          onConfirm={() => go(asking)}
        >
          <p>
            Wrong attempts are forgotten and {businessName} has five new ones. Do it only for a person whom you
            recognise: somebody who guesses the PIN asks for this, too.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function PinOfMode({ pin, onUnlock }: { pin: Pin; onUnlock: () => void }) {
  if (!pin.isSet) return <span className="text-muted">None is set: nothing can be paid out yet.</span>;
  return (
    <span className="flex flex-wrap items-center gap-3">
      {pin.lockedUntil === null ? (
        'Set, and not locked.'
      ) : (
        <span className="text-bad">
          Locked until <Moment at={pin.lockedUntil} /> after five wrong attempts.
        </span>
      )}
      <Button size="small" aria-label={`Unlock the ${pin.mode.toLowerCase()} PIN`} onClick={onUnlock}>
        Unlock
      </Button>
    </span>
  );
}
