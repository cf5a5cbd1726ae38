import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import {
  closeCompliance,
  confirmCompliance,
  exportCases,
  makeFreeze,
  proposeLift,
  proposeRelease,
  readCases,
  readFreeze,
  readFreezes,
} from '../compliance/index.ts';
import { success } from '../platform/answer.ts';
import { invalidField } from '../platform/errors.ts';
import { makeExport } from '../platform/exports.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { type CsvColumn, csvHeader, csvLines } from '../platform/spreadsheet/write-csv.ts';
import {
  CasesFileQuery,
  CloseComplianceBody,
  ComplianceCaseSchema,
  ConfirmComplianceBody,
  FreezeParams,
  FreezeSchema,
  FreezeWithTrailSchema,
  ListCasesQuery,
  ListFreezesQuery,
  MakeFreezeBody,
  ProposedComplianceSchema,
  ProposeLiftBody,
  ProposeReleaseBody,
} from './compliance-schemas.ts';
import { caseView, freezeView, trailView } from './compliance-views.ts';
import { OPERATOR, type OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';
import { DONE, Done } from './schemas.ts';

const TAGS = ['Operator: compliance'];
/** The log of a merchant shows to nobody that it is frozen, by which order and why. */
const CONFIDENTIAL = { operator: true, confidential: true } as const;

/** Freezes, what is held for them and for other findings, and who decides about that. */
export function complianceRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await addRoutes(
      app,
      freezeRoutes(deps),
      freezeTrailRoutes(deps),
      caseRoutes(deps),
      proposeRoutes(deps),
      decideRoutes(deps),
    );
  };
}

function freezeRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database, clock } = deps;
  return async (app) => {
    app.get(
      '/operator/freeze',
      {
        config: { access: CONFIDENTIAL },
        schema: {
          tags: TAGS,
          operationId: 'listFreezes',
          summary: 'What is frozen, and what was, newest first',
          querystring: ListFreezesQuery,
          response: answers(Success(ListPage(FreezeSchema))),
        },
      },
      async (request, reply) => {
        const { mode, inForce } = request.query;
        const { personId } = request.operator;
        const now = clock.now();
        const filter = { mode, isInForce: inForce === undefined ? undefined : inForce === 'true', at: now };
        const found = await readFreezes(database, filter, listRequest(request.query));
        const names = await namesOf(deps, found.rows);
        return sendAnswer(
          reply,
          success(
            'Success',
            listView(found, (entry) => freezeView(entry, { names, now, personId })),
          ),
        );
      },
    );
    app.post(
      '/operator/freeze',
      {
        config: { access: { ...CONFIDENTIAL, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'makeFreeze',
          summary: 'Freeze an account, a payer, a reference or a merchant',
          description:
            'At once, by one person: what comes is held in suspense, and nothing leaves. Two people lift it. What has left is not called back.',
          body: MakeFreezeBody,
          response: answers(Success(FreezeWithTrailSchema)),
        },
      },
      async (request, reply) => {
        const { startsAt, endsAt, ...given } = request.body;
        const { personId } = request.operator;
        const made = await makeFreeze(deps, {
          ...given,
          startsAt: startsAt === undefined ? undefined : new Date(startsAt),
          endsAt: endsAt === undefined || endsAt === null ? null : new Date(endsAt),
          personId,
        });
        request.auditSubject = { freezeId: made.id };
        return sendAnswer(reply, success('It is frozen', await freezeWithTrail(deps, made.id, personId)));
      },
    );
    app.get(
      '/operator/freeze/:freezeId',
      {
        config: { access: CONFIDENTIAL },
        schema: {
          tags: TAGS,
          operationId: 'getFreeze',
          summary: 'A freeze with all that happened with it',
          params: FreezeParams,
          response: answers(Success(FreezeWithTrailSchema)),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        return sendAnswer(reply, success('Success', await freezeWithTrail(deps, request.params.freezeId, personId)));
      },
    );
  };
}

async function namesOf({ database }: OperatorDeps, rows: readonly { freeze: { merchant_id: string | null } }[]) {
  return readNamesOf(
    database,
    rows.map(({ freeze }) => freeze),
  );
}

async function freezeWithTrail(deps: OperatorDeps, freezeId: string, personId: string) {
  const { trail, ...entry } = await readFreeze(deps, freezeId);
  const names = await namesOf(deps, [entry]);
  return { freeze: freezeView(entry, { names, now: deps.clock.now(), personId }), trail: trail.map(trailView) };
}

const TRAIL_COLUMNS: readonly CsvColumn<ReturnType<typeof trailView>>[] = [
  ['At (UTC)', ({ at }) => at],
  ['What', ({ what }) => what],
  ['Who', ({ who }) => who ?? 'Manilla'],
  ['Detail', ({ detail }) => detail],
];

function freezeTrailRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/freeze/:freezeId/trail.csv',
      {
        config: { access: CONFIDENTIAL },
        schema: {
          tags: TAGS,
          operationId: 'downloadFreezeTrail',
          summary: 'All that happened with a freeze as CSV: for a court, a bank or a regulator',
          params: FreezeParams,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { trail } = await readFreeze(deps, request.params.freezeId);
        async function* lines() {
          yield csvHeader(TRAIL_COLUMNS);
          yield csvLines(TRAIL_COLUMNS, trail.map(trailView));
        }
        const file = await makeExport(deps.database, OPERATOR, lines, { gone: goneSignal(reply) });
        return sendExport(reply, 'freeze.csv', file);
      },
    );
  };
}

function caseRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/compliance-case',
      {
        config: { access: CONFIDENTIAL },
        schema: {
          tags: TAGS,
          operationId: 'listComplianceCases',
          summary: 'Why payments and payouts are held, and what became of them, newest first',
          querystring: ListCasesQuery,
          response: answers(Success(ListPage(ComplianceCaseSchema))),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        const found = await readCases(database, caseFilterOf(request.query), listRequest(request.query));
        return sendAnswer(
          reply,
          success(
            'Success',
            listView(found, (row) => caseView(row, personId)),
          ),
        );
      },
    );
    app.get(
      '/operator/compliance-case.csv',
      {
        config: { access: CONFIDENTIAL },
        schema: {
          tags: TAGS,
          operationId: 'downloadComplianceCases',
          summary: 'The same as CSV, all that match, amounts in naira; account numbers are text',
          querystring: CasesFileQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const by = { owner: OPERATOR, gone: goneSignal(reply) };
        return sendExport(reply, 'compliance-cases.csv', await exportCases(database, caseFilterOf(request.query), by));
      },
    );
  };
}

/** @throws AppError 400 `VALIDATION_FAILED`: a payment or payout is found within its merchant and mode alone. */
function caseFilterOf({ mode, status, merchantId, freezeId, subjectId }: Static<typeof CasesFileQuery>) {
  if (subjectId !== undefined && (merchantId === undefined || mode === undefined)) {
    throw invalidField(merchantId === undefined ? 'merchantId' : 'mode', 'is needed with subjectId');
  }
  return { mode, status, merchantId, freezeId, subjectId };
}

function proposeRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/freeze/lift',
      {
        config: { access: CONFIDENTIAL },
        schema: {
          tags: TAGS,
          operationId: 'proposeLift',
          summary: 'Say that a freeze is to be lifted, and why; another person has to confirm it',
          body: ProposeLiftBody,
          response: answers(Success(ProposedComplianceSchema)),
        },
      },
      async (request, reply) => {
        const proposed = await proposeLift(deps, { ...request.body, personId: request.operator.personId });
        request.auditSubject = { proposalId: proposed.proposalId };
        return sendAnswer(reply, success('It is in force until another person confirms it', proposed));
      },
    );
    app.post(
      '/operator/compliance-case/release',
      {
        config: { access: CONFIDENTIAL },
        schema: {
          tags: TAGS,
          operationId: 'proposeRelease',
          summary: 'Say that a payout that is held may go, and why; another person has to confirm it',
          body: ProposeReleaseBody,
          response: answers(Success(ProposedComplianceSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...given } = request.body;
        const { personId } = request.operator;
        const proposed = await proposeRelease(deps, { tenant: { merchantId, mode }, ...given, personId });
        request.auditSubject = { proposalId: proposed.proposalId };
        return sendAnswer(reply, success('It is held until another person confirms it', proposed));
      },
    );
  };
}

/** The two ways of a proposal to end without an effect. */
const CLOSES = [
  { step: 'reject', status: 'REJECTED', about: 'Turn down a proposal that another person made', done: 'rejected' },
  { step: 'withdraw', status: 'WITHDRAWN', about: 'Take back a proposal that you made', done: 'withdrawn' },
] as const;

function decideRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/compliance-proposal/confirm',
      {
        config: { access: { ...CONFIDENTIAL, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'confirmCompliance',
          summary: 'Confirm another person’s proposal: the freeze is lifted, or the payout goes',
          body: ConfirmComplianceBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { action, freeze_id, case_id } = await confirmCompliance(deps, {
          ...request.body,
          personId: request.operator.personId,
        });
        request.auditSubject = freeze_id === null ? { caseId: case_id ?? '' } : { freezeId: freeze_id };
        deps.wake();
        return sendAnswer(reply, success(action === 'LIFT' ? 'The freeze is lifted' : 'The payout goes', DONE));
      },
    );
    for (const { step, status, about, done } of CLOSES) {
      app.post(
        `/operator/compliance-proposal/${step}`,
        {
          config: { access: CONFIDENTIAL },
          schema: {
            tags: TAGS,
            operationId: `${step}Compliance`,
            summary: `${about}, about a freeze or a payout that is held`,
            body: CloseComplianceBody,
            response: answers(Success(Done)),
          },
        },
        async (request, reply) => {
          await closeCompliance(deps, { ...request.body, status, personId: request.operator.personId });
          return sendAnswer(reply, success(`The proposal is ${done}`, DONE));
        },
      );
    }
  };
}
