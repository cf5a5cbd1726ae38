import { Link } from '@tanstack/react-router';
import { Check, CircleAlert, PencilLine, RefreshCw, Trash2, TriangleAlert, Undo2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { type Batch, isOpen, rows } from './batch.ts';
import { GroupChangeDialog, type SharedField } from './group-change-dialog.tsx';
import { type Group, type GroupAction, type GroupChange, titleOf } from './group-words.ts';
import { useProblems } from './use-problems.ts';

/** What is asked of all rows of a group. */
interface Change {
  action: GroupAction;
  change?: GroupChange;
}

export interface BatchGroupsProps {
  batch: Batch;
  editable: boolean;
}

/** What is wrong with many rows, names that differ first, with what can be done to all of them at once. */
export function BatchGroups({ batch, editable }: BatchGroupsProps) {
  const problems = useProblems(batch);
  const actions = useGroupActions(batch, problems.data?.version);
  if (!isOpen(batch) || problems.data === undefined) return null;
  const { groups, groupsLeftOut, undoable, running } = problems.data;
  const open = groups.filter(({ count, isHarmless }) => count > 0 && !isHarmless).sort(loudestFirst);
  const quiet = groups.filter(({ count, isHarmless }) => count > 0 && isHarmless);
  const accepted = groups.reduce((sum, { acceptedCount }) => sum + acceptedCount, 0);
  const resting = batch.status !== 'VALIDATING' && running === null;
  if (open.length + quiet.length + accepted === 0 && undoable === null) return null;
  return (
    <section aria-labelledby="problems" className="mb-6">
      <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-3">
        <h2 id="problems" className="text-base font-semibold">
          Problems
        </h2>
        {editable && undoable !== null && (
          <Button size="small" icon={Undo2} busy={actions.isPending} onClick={() => void actions.undo()}>
            Undo the last action ({rows(undoable.items)})
          </Button>
        )}
      </div>
      {editable && !resting && (
        <p className="mb-3 text-sm text-muted">Rows are being checked. Groups can be edited when that is done.</p>
      )}
      <ul className="flex flex-col gap-3">
        {open.map((group) => (
          <GroupCard
            key={`${group.code} ${group.cause}`}
            group={group}
            editable={editable}
            disabled={!resting || actions.isPending}
            onResolve={(change) => void actions.resolve(group, change)}
          />
        ))}
      </ul>
      {groupsLeftOut > 0 && (
        <p className="mt-2 text-xs text-muted">
          {formatCount(groupsLeftOut)} smaller groups are not shown; they come into sight as these are resolved.
        </p>
      )}
      {open.length === 0 && accepted > 0 && (
        <p className="text-sm text-muted">{rows(accepted)} with an accepted warning.</p>
      )}
      <QuietGroups groups={quiet} />
    </section>
  );
}

/** Another person's name first: money to a wrong person does not come back. */
const loudestFirst = (one: Group, other: Group): number =>
  Number(other.code === 'NAME_DIFFERS') - Number(one.code === 'NAME_DIFFERS');

function useGroupActions({ batchReference }: Batch, version: number | undefined) {
  const resolving = useAction('post', '/payout/bulk/{batchReference}/problem/resolve');
  const undoing = useAction('post', '/payout/bulk/{batchReference}/problem/undo');
  async function report(work: () => Promise<unknown>, text: string, action?: { label: string; onClick: () => void }) {
    try {
      await work();
      toast({ tone: 'good', text, ...(action === undefined ? {} : { action }) });
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }
  const undo = () => report(() => undoing.run({ path: { batchReference } }), 'The last action was undone.');
  return {
    isPending: resolving.isPending || undoing.isPending,
    undo,
    async resolve({ code, cause, count }: Group, change: Change): Promise<void> {
      if (version === undefined) return;
      const input = { path: { batchReference }, body: { code, ...change, cause, version } };
      await report(() => resolving.run(input), DONE[change.action](rows(count)), {
        label: 'Undo',
        onClick: () => void undo(),
      });
    },
  };
}

const DONE: Readonly<Record<GroupAction, (what: string) => string>> = {
  ACCEPT: (what) => `${what} accepted.`,
  CHANGE: (what) => `${what} edited.`,
  CHECK_AGAIN: (what) => `The bank is asked about ${what} again.`,
  LEAVE_OUT: (what) => `${what} removed from the list.`,
};

interface GroupButtonsProps {
  group: Group;
  disabled: boolean;
  onResolve: (change: Change) => void;
}

/** @param editable whether this person may do something about it */
function GroupCard({ group, editable, ...buttons }: GroupButtonsProps & { editable: boolean }) {
  const { code, cause, severity, count } = group;
  const isName = code === 'NAME_DIFFERS';
  const isError = severity === 'ERROR';
  const Icon = isError ? CircleAlert : TriangleAlert;
  const title = titleOf(group);
  const titleId = useId();
  return (
    <li className={cn('card flex flex-col gap-3 border-l-4 p-4', isError || isName ? 'border-l-bad' : 'border-l-warn')}>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className={cn('flex min-w-0 items-start gap-2 font-semibold', isName && 'text-lg')}>
          <Icon className={cn('mt-1 size-4 shrink-0', isError || isName ? 'text-bad' : 'text-warn')} aria-hidden />
          <span id={titleId} className="wrap-anywhere">
            {title}
          </span>
        </h3>
        {editable && (
          // Every problem has a button to leave its rows out: in a group with a name, a screen reader says of which problem each is.
          <fieldset aria-labelledby={titleId} className="min-w-0">
            <GroupButtons group={group} title={title} {...buttons} />
          </fieldset>
        )}
      </div>
      {isName ? <DifferentNames group={group} /> : <Samples group={group} />}
      <Link
        to="."
        search={(before: object) => ({ ...before, show: 'group', problem: code, cause: cause ?? undefined })}
        replace
        hash="rows"
        className="self-start text-xs font-medium text-accent underline"
      >
        Show {count === 1 ? 'the row' : `all ${rows(count)}`}
      </Link>
    </li>
  );
}

const FIELD_BUTTONS: Readonly<Record<SharedField, string>> = {
  bankCode: 'Choose the bank',
  narration: 'Set the narration',
  phoneNumber: 'Set the phone number',
};

const isShared = (field: string | null): field is SharedField => field !== null && field in FIELD_BUTTONS;

function GroupButtons({ group, title, disabled, onResolve }: GroupButtonsProps & { title: string }) {
  const { actions, suggestion, field, count } = group;
  const [choosing, setChoosing] = useState<SharedField>();
  const bankCode = suggestion?.bankCode ?? null;
  const may = (action: GroupAction) => actions.includes(action);
  return (
    <div className="flex flex-wrap gap-2">
      {bankCode !== null && may('CHANGE') && (
        <Button
          size="small"
          look="primary"
          icon={Check}
          disabled={disabled}
          onClick={() => onResolve({ action: 'CHANGE', change: { bankCode } })}
        >
          Use {suggestion?.bankName}
        </Button>
      )}
      {suggestion?.amountAsRead === true && (
        <Button
          size="small"
          look="primary"
          icon={Check}
          disabled={disabled}
          onClick={() => onResolve({ action: 'CHANGE', change: { amountAsRead: true } })}
        >
          Use the amounts as read
        </Button>
      )}
      {may('CHANGE') && isShared(field) && (
        <Button size="small" icon={PencilLine} disabled={disabled} onClick={() => setChoosing(field)}>
          {FIELD_BUTTONS[field]}
        </Button>
      )}
      {may('CHECK_AGAIN') && (
        <Button size="small" icon={RefreshCw} disabled={disabled} onClick={() => onResolve({ action: 'CHECK_AGAIN' })}>
          Ask the bank again
        </Button>
      )}
      {may('ACCEPT') && (
        <Button size="small" icon={Check} disabled={disabled} onClick={() => onResolve({ action: 'ACCEPT' })}>
          Accept {count === 1 ? 'it' : `all ${formatCount(count)}`}
        </Button>
      )}
      {may('LEAVE_OUT') && (
        <Button size="small" icon={Trash2} disabled={disabled} onClick={() => onResolve({ action: 'LEAVE_OUT' })}>
          Leave out
        </Button>
      )}
      {choosing !== undefined && (
        <GroupChangeDialog
          field={choosing}
          title={title}
          onClose={() => setChoosing(undefined)}
          onChoose={(change) => {
            setChoosing(undefined);
            onResolve({ action: 'CHANGE', change });
          }}
        />
      )}
    </div>
  );
}

/** Both names side by side, the least alike first. */
function DifferentNames({ group }: { group: Group }) {
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">The names that differ most</caption>
      <thead>
        <tr className="text-left text-xs text-muted">
          <th className="pr-3 font-medium">Your list</th>
          <th className="pr-3 font-medium">At the bank</th>
          <th className="hidden text-right font-medium sm:table-cell">Amount</th>
        </tr>
      </thead>
      <tbody>
        {group.samples.map((item) => (
          <tr key={item.id} className="border-t align-top">
            <td className="py-1.5 pr-3 font-semibold wrap-anywhere">
              {item.givenName}
              <span className="block text-xs font-normal text-muted">Row {item.position}</span>
            </td>
            <td className="py-1.5 pr-3 font-semibold text-bad wrap-anywhere">
              {item.accountName}
              <span className="block text-xs font-normal text-muted sm:hidden">
                <GivenAmount item={item} />
              </span>
            </td>
            <td className="hidden py-1.5 text-right whitespace-nowrap sm:table-cell">
              <GivenAmount item={item} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An amount that could not be read stands as it was written, or as a dash: it is not zero. */
function GivenAmount({ item: { amount, givenAmount } }: { item: Group['samples'][number] }) {
  if (amount !== 0) return <Amount value={amount} />;
  return <span className="figures">{givenAmount?.trim() || '–'}</span>;
}

function Samples({ group: { samples, field } }: { group: Group }) {
  return (
    <ul className="flex flex-col gap-0.5 text-sm text-muted">
      {samples.map((item) => (
        <li key={item.id} className="wrap-anywhere">
          Row {item.position}
          {item.givenName === null && item.accountName === '' ? '' : `, ${item.givenName ?? item.accountName}`}:{' '}
          {field === 'amount' && item.givenAmount !== null && item.givenAmount !== '' ? (
            <>
              {item.givenAmount}
              {item.amountAsRead !== null && (
                <>
                  {' → '}
                  <Amount value={item.amountAsRead} className="font-semibold text-ink" />
                </>
              )}
            </>
          ) : (
            <>
              <span className="figures">{item.accountNumber || 'no account number'}</span>,{' '}
              {item.bankName || item.bankCode || 'no bank'}, <GivenAmount item={item} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Cells that could be read in one way only, for information. */
function QuietGroups({ groups }: { groups: readonly Group[] }) {
  if (groups.length === 0) return null;
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return (
    <details className="mt-3 text-sm text-muted">
      <summary className="cursor-pointer">{rows(count)} read with a small correction</summary>
      <ul className="mt-2 list-disc pl-5">
        {groups.map((group) => (
          <li key={`${group.code} ${group.cause}`}>{titleOf(group)}</li>
        ))}
      </ul>
    </details>
  );
}
