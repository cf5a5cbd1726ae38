import { Link } from '@tanstack/react-router';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { MakerCheckerSwitch } from './maker-checker-switch.tsx';
import type { Rules } from './rules.ts';
import { RulesForm } from './rules-form.tsx';
import { RulesTable } from './rules-table.tsx';

/** Whether a second person has to look at a payout, and how many from which amount on. */
export function RulesPage() {
  const mode = useMode();
  const mayManage = useMay()('rule:manage', mode);
  const { data: rules, error, refetch } = useRead('/approval/rules', {}, { refetchInterval: 10_000 });
  return (
    <>
      <PageHeader title="Approval rules" beside={rules !== undefined && <OnOff rules={rules} />}>
        With approvals on, whoever makes a payout, a batch or a beneficiary, here or through the API, cannot approve it.
        The rules hold in the sandbox and live.
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
          <Link to="/settings/people" className="text-accent underline">
            See people
          </Link>
        </p>
      </Section>
      <Section
        title="How many approvals"
        about={
          rules.isMakerCheckerEnabled
            ? 'Each rule holds from its amount on, up to the next. Charges do not count.'
            : 'They hold as soon as approvals are on: each from its amount on, up to the next.'
        }
      >
        {mayManage && !waits ? <RulesForm key={rules.version} rules={rules} /> : <RulesTable rules={rules} />}
      </Section>
    </>
  );
}

/** What such a key sends still waits, but whoever holds the key may be the one who approves it. */
function KeysWithoutMaker({ count }: { count: number }) {
  return (
    <Alert
      tone="warn"
      className="mb-6"
      title={count === 1 ? 'An API key has no maker' : `${count} API keys have no maker`}
      action={
        <ButtonLink size="small" to="/developers/keys">
          See API keys
        </ButtonLink>
      }
    >
      What {count === 1 ? 'it sends' : 'they send'} waits for approval, but whoever holds{' '}
      {count === 1 ? 'it' : 'such a key'} may approve that alone. Rotate {count === 1 ? 'it' : 'them'}: the new key has
      a maker, who cannot.
    </Alert>
  );
}
