import { OUTCOME_SOURCES, type OutcomeEvidence } from '../outcomes/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type AdminDeps, type Command, EMAIL, givenTenant, MERCHANT, MODE, oneOf, signIn } from './command.ts';

const PROPOSAL = { type: 'string', about: 'id of the proposal', required: true } as const;

interface OfPerson {
  tenant: Tenant;
  personId: string;
}

interface Decisions<Outcome extends string> {
  subject: 'payout' | 'refund';
  /** Of the commands' names. */
  suffix: string;
  outcomes: readonly Outcome[];
  propose(
    deps: AdminDeps,
    said: OfPerson & { subjectId: string; outcome: Outcome; source: OutcomeEvidence; note: string },
  ): Promise<{ proposalId: string }>;
  /** @returns what is printed. */
  confirm(deps: AdminDeps, shown: OfPerson & { proposalId: string; digest: string }): Promise<string>;
  reject(deps: AdminDeps, decision: OfPerson & { proposalId: string; reason: string }): Promise<void>;
}

/** One person says what became of something, another confirms or rejects it. */
export function decisionCommands<Outcome extends string>(of: Decisions<Outcome>): Command[] {
  return [
    proposeCommand(of),
    confirmCommand(of),
    rejectCommand({ ...of, about: 'turn a proposal down, or take your own back' }),
  ];
}

function proposeCommand<Outcome extends string>({ subject, suffix, outcomes, propose }: Decisions<Outcome>): Command {
  return {
    name: `propose-${suffix}`,
    about: `say what became of a ${subject} and how you know; another person has to confirm it`,
    options: {
      merchant: MERCHANT,
      mode: MODE,
      [subject]: { type: 'string', about: `id of the ${subject}`, required: true },
      outcome: { type: 'string', about: outcomes.join(', '), required: true },
      source: { type: 'string', about: `how you know: ${OUTCOME_SOURCES.join(', ')}`, required: true },
      note: { type: 'string', about: 'what you saw, where, and who said it', required: true },
      email: EMAIL,
    },
    async run(deps, options) {
      const said = {
        tenant: givenTenant(options),
        subjectId: options.id(subject),
        outcome: oneOf(options, 'outcome', outcomes),
        source: oneOf(options, 'source', OUTCOME_SOURCES),
        note: options.text('note'),
      };
      const { personId } = await signIn(deps, options);
      const { proposalId } = await propose(deps, { ...said, personId });
      deps.warn(`Nothing has moved. Another person confirms it with confirm-${suffix}.`);
      deps.print(proposalId);
    },
  };
}

function confirmCommand<Outcome extends string>({ suffix, confirm }: Decisions<Outcome>): Command {
  return {
    name: `confirm-${suffix}`,
    about: "confirm another person's proposal; it becomes books at once",
    options: {
      merchant: MERCHANT,
      mode: MODE,
      proposal: PROPOSAL,
      digest: { type: 'string', about: `of the proposal, as list-${suffix}s shows it`, required: true },
      email: EMAIL,
    },
    async run(deps, options) {
      const shown = { proposalId: options.id('proposal'), digest: options.text('digest') };
      const decision = { tenant: givenTenant(options), ...shown };
      const { personId } = await signIn(deps, options);
      deps.print(await confirm(deps, { ...decision, personId }));
    },
  };
}

/** The command that ends a proposal without its effect. */
export function rejectCommand({
  suffix,
  about,
  reject,
}: { about: string } & Pick<Decisions<never>, 'suffix' | 'reject'>): Command {
  return {
    name: `reject-${suffix}`,
    about,
    options: {
      merchant: MERCHANT,
      mode: MODE,
      proposal: PROPOSAL,
      reason: { type: 'string', about: 'why, for the history', required: true },
      email: EMAIL,
    },
    async run(deps, options) {
      const decision = {
        tenant: givenTenant(options),
        proposalId: options.id('proposal'),
        reason: options.text('reason'),
      };
      const { personId } = await signIn(deps, options);
      await reject(deps, { ...decision, personId });
      deps.print('rejected');
    },
  };
}
