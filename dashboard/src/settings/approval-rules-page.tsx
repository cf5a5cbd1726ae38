import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode, useRenewSession } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink, IconButton } from '../components/button.tsx';
import { Switch } from '../components/choices.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { Select } from '../components/select.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import { formatDigits, parseMoney } from '../format/money.ts';

/** Whether a second person has to look at a payout, and how many from which amount on. */
export function RulesPage() {
  const mode = useMode();
  const mayManage = useMay()('rule:manage', mode);
  const { data: rules, error, refetch } = useRead('/approval/rules', {}, { refetchInterval: 10_000 });
  return (
    <>
      <PageHeader title="Approval rules" beside={rules !== undefined && <OnOff rules={rules} />}>
        With approvals on, whoever creates a payout, a batch or a beneficiary, here or through the API, cannot approve
        it. The rules apply in the sandbox and live.
      </PageHeader>
      {rules === undefined ? (
        error === null ? (
          <Skeleton className="h-64 w-full rounded-card" />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <RulesShown rules={rules} mayManage={mayManage} />
      )}
    </>
  );
}

function OnOff({ rules }: { rules: Rules }) {
  return rules.isMakerCheckerEnabled ? <Badge tone="good">On</Badge> : <Badge tone="quiet">Off</Badge>;
}

function RulesShown({ rules, mayManage }: { rules: Rules; mayManage: boolean }) {
  const maySeePeople = useMay()('member:read', useMode());
  const waits = rules.approvalId !== null;
  return (
    <>
      {rules.approvalId !== null && (
        <Alert
          tone="warn"
          className="mb-6"
          title="A change waits for approval"
          action={
            <ButtonLink size="small" to="/approvals/$approvalId" params={{ approvalId: rules.approvalId }}>
              See the change
            </ButtonLink>
          }
        >
          Until others approve it, the rules below are in force. There can be one change at a time.
        </Alert>
      )}
      {rules.isMakerCheckerEnabled && rules.keysWithoutMaker > 0 && <KeysWithoutMaker count={rules.keysWithoutMaker} />}
      <Section title="Approvals">
        <MakerCheckerSwitch rules={rules} mayManage={mayManage && !waits} />
        <p className="mt-4 border-t pt-4 text-muted">
          {rules.deciders === 1 ? 'One person' : `${rules.deciders} people`} may approve now: owners, administrators and
          approvers.{' '}
          {maySeePeople && (
            <Link to="/settings/people" className="text-accent underline">
              See people
            </Link>
          )}
        </p>
      </Section>
      <Section
        title="How many approvals"
        about={
          rules.isMakerCheckerEnabled
            ? 'Each rule applies from its amount up to the next. Charges are not included.'
            : 'They apply as soon as approvals are on: each from its amount up to the next.'
        }
      >
        {mayManage && !waits ? <RulesForm key={rules.version} rules={rules} /> : <RulesTable rules={rules} />}
      </Section>
    </>
  );
}

/** What such a key sends still waits, but the person who holds the key may be the one who approves it. */
function KeysWithoutMaker({ count }: { count: number }) {
  const maySee = useMay()('key:read', useMode());
  return (
    <Alert
      tone="warn"
      className="mb-6"
      title={count === 1 ? 'An API key belongs to nobody' : `${count} API keys belong to nobody`}
      action={
        maySee && (
          <ButtonLink size="small" to="/developers/keys">
            See API keys
          </ButtonLink>
        )
      }
    >
      What {count === 1 ? 'it sends' : 'they send'} waits for approval, but whoever holds{' '}
      {count === 1 ? 'it' : 'such a key'} may approve that alone. Rotate {count === 1 ? 'it' : 'them'}: the new key has
      a maker, who cannot.
    </Alert>
  );
}

/** The rules in force, to read. */
function RulesTable({ rules }: { rules: Rules }) {
  return (
    <table className="w-full max-w-md text-sm">
      <caption className="sr-only">Approval rules</caption>
      <thead>
        <tr className="border-b text-xs text-muted">
          <th scope="col" className="py-2 text-right font-medium">
            From
          </th>
          <th scope="col" className="py-2 text-right font-medium">
            Approvals
          </th>
        </tr>
      </thead>
      <tbody>
        {rulesOf(rules).map(({ fromAmount, approvals }) => (
          <tr key={fromAmount} className="border-b last:border-0">
            <td className="py-2 text-right">
              <Amount value={fromAmount} />
            </td>
            <td className="figures py-2 text-right">{approvals}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Approvals on or off, after a word about what that means. */
function MakerCheckerSwitch({ rules, mayManage }: { rules: Rules; mayManage: boolean }) {
  const change = useAction('patch', '/approval/rules', { changes: ['/approval', '/merchant/info'] });
  const renew = useRenewSession();
  const [asking, setAsking] = useState(false);
  const isOn = rules.isMakerCheckerEnabled;
  return (
    <>
      <Switch
        label="A second person approves"
        hint={
          isOn ? 'What one person makes waits until others approve it.' : 'What a person makes is carried out at once.'
        }
        checked={isOn}
        disabled={!mayManage}
        onChange={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={isOn ? 'Switch approvals off?' : 'Switch approvals on?'}
        confirm={isOn ? 'Request to switch off' : 'Switch on'}
        onConfirm={async () => {
          const changed = await change.run({ body: { isMakerCheckerEnabled: !isOn } });
          toast({ tone: changed.approvalId === null ? 'good' : 'info', text: changedWords(changed) });
          await renew();
        }}
      >
        <p>
          {isOn
            ? 'This needs the approval of others, too. From then on, anyone who knows the PIN can send money alone.'
            : 'From then on every payout, batch, schedule, new beneficiary and change of limits waits for another person, also what your programs send. Money is held until then.'}
        </p>
      </ConfirmDialog>
    </>
  );
}

type Rules = Data<'get', '/approval/rules'>;

/** What a change did: it is in force, or it waits for others. */
function changedWords(rules: Rules): string {
  return rules.approvalId === null ? 'Saved. It is in force at once.' : 'The change waits for approval by others.';
}

/** What holds where nobody has chosen yet: one approval for everything. */
const FIRST_RULES: Rules['rules'] = [{ fromAmount: 0, approvals: 1 }];

const rulesOf = ({ rules }: Rules): Rules['rules'] => (rules.length === 0 ? FIRST_RULES : rules);

const MOST_RULES = 20;
const COUNTS = ['1', '2', '3', '4', '5'].map((count) => ({
  value: count,
  label: count === '1' ? '1 person' : `${count} people`,
}));

interface RulesValues {
  rules: { from: string; approvals: string }[];
}

/** From which amount on how many people have to approve. */
function RulesForm({ rules }: { rules: Rules }) {
  const change = useAction('patch', '/approval/rules', { changes: ['/approval'] });
  const server = useServerForm<RulesValues>({ defaultValues: { rules: rulesOf(rules).map(typed) } });
  const { form } = server;
  const rows = useFieldArray({ control: form.control, name: 'rules' });

  async function send(values: RulesValues): Promise<void> {
    const wanted = values.rules.map(({ from, approvals }) => ({
      fromAmount: parseMoney(from) ?? 0,
      approvals: Number(approvals),
    }));
    const changed = await change.run({ body: { rules: wanted } });
    toast({ tone: changed.approvalId === null ? 'good' : 'info', text: changedWords(changed) });
  }

  return (
    <Form server={server} onSend={send} send="Save rules">
      <ul className="flex max-w-xl flex-col gap-3">
        {rows.fields.map((row, at) => (
          <li
            key={row.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,9rem)_auto]"
          >
            <Field
              form={form}
              name={`rules.${at}.from`}
              label="From"
              className="max-sm:col-span-2"
              rules={{ validate: (text: string) => complainAboutFrom(text, at, form.getValues('rules')) ?? true }}
            >
              {(control) => <MoneyInput {...control} />}
            </Field>
            <Field form={form} name={`rules.${at}.approvals`} label="Needs">
              {(control) => <Select {...control} options={COUNTS} />}
            </Field>
            <IconButton
              icon={Trash2}
              label={`Remove rule ${at + 1}`}
              className="mt-7"
              disabled={rows.fields.length === 1}
              onClick={() => rows.remove(at)}
            />
          </li>
        ))}
      </ul>
      <Button
        icon={Plus}
        size="small"
        className="self-start"
        disabled={rows.fields.length >= MOST_RULES}
        onClick={() => rows.append({ from: '', approvals: '2' })}
      >
        Add a rule
      </Button>
    </Form>
  );
}

const typed = ({ fromAmount, approvals }: Rules['rules'][number]) => ({
  from: formatDigits(fromAmount),
  approvals: String(approvals),
});

function complainAboutFrom(text: string, at: number, all: RulesValues['rules']): string | undefined {
  const amount = parseMoney(text);
  if (amount === undefined) return 'Enter an amount, such as 500,000. Zero is every payout.';
  const isTwice = all.some(({ from }, other) => other !== at && parseMoney(from) === amount);
  return isTwice ? 'There is another rule from this amount.' : undefined;
}
