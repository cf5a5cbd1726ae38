import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  clearSessionCookie,
  nameOfPerson,
  permissionsOfRole,
  type Scope,
  type SignedIn,
  type SignedInMerchant,
  SUPPORT_PERMISSIONS,
  SUPPORT_SCOPES,
  type SupportView,
  scopesOfRole,
  sessionExpired,
  sessionSecretOf,
  setSessionCookie,
  supportViewTokenOf,
  visitorOf,
} from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { isFromThisMachine } from '../platform/http/allowed-hosts.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Mode } from '../platform/tenant.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import type { Manager } from './organization.ts';
import {
  CodeBody,
  Nothing,
  SessionParams,
  SessionRecord,
  SessionSchema,
  SignedInSchema,
  SignInBody,
  StepUpBody,
  StepUpSchema,
} from './schemas.ts';
import { endSession, endSessionsOf } from './session.ts';
import { IDLE_MS } from './session-gate.ts';
import { listSessionsOfPerson, type SessionRow } from './session-queries.ts';
import { finishSignIn, givePasswordAgain, signIn } from './sign-in.ts';

function sessionView(
  session: SignedIn,
  { csrfToken, mailOutbox, view }: { csrfToken: string; mailOutbox: boolean; view: SupportView | null },
): Static<typeof SessionSchema> {
  const { role } = session;
  const merchant = view?.merchant ?? session.merchant;
  return {
    person: {
      personId: session.personId,
      email: session.email,
      firstName: session.firstName,
      lastName: session.lastName,
      kind: session.kind,
      role,
      secondFactor: session.secondFactor,
      recoveryCodesLeft: session.recoveryCodesLeft,
    },
    merchant: merchant === null ? null : merchantView(merchant),
    permissions: [...(view !== null ? SUPPORT_PERMISSIONS : role === null ? [] : permissionsOfRole(role))],
    scopes: { SANDBOX: scopesIn(session, view, 'SANDBOX'), LIVE: scopesIn(session, view, 'LIVE') },
    csrfToken,
    expiresAt: session.expiresAt.toISOString(),
    idleExpiresAt: session.idleExpiresAt.toISOString(),
    stepUpUntil: session.stepUpUntil?.toISOString() ?? null,
    mailOutbox,
    supportView: view === null ? null : supportViewOf(view),
  };
}

/** What may be read and done in a mode. A support view has one mode. */
function scopesIn({ role }: SignedIn, view: SupportView | null, mode: Mode): Scope[] {
  if (view !== null) return view.mode === mode ? [...SUPPORT_SCOPES] : [];
  return role === null ? [] : [...scopesOfRole(role, mode)];
}

function supportViewOf({ supportViewId, mode, reason, openedAt, expiresAt }: SupportView) {
  return {
    supportViewId,
    mode,
    reason,
    openedAt: openedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function merchantView({ pins, services, ...merchant }: SignedInMerchant) {
  return {
    ...merchant,
    isPinSet: { SANDBOX: pins.SANDBOX !== null, LIVE: pins.LIVE !== null },
    services: [...services],
  };
}

function sessionRecord(row: SessionRow, currentId: string): Static<typeof SessionRecord> {
  return {
    sessionId: row.id,
    current: row.id === currentId,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    ip: row.ip,
    userAgent: row.user_agent,
  };
}

const tags = ['Dashboard: signing in'];

/** The session that the guard has put on the request. */
export function sessionOf(request: FastifyRequest): SignedIn {
  if (request.signedIn === null) throw sessionExpired();
  return request.signedIn;
}

/** The person who manages people, of the organization that they are signed in to. */
export function managerOf(request: FastifyRequest): Manager {
  const session = sessionOf(request);
  const merchantId = session.merchant?.merchantId ?? null;
  return { personId: session.personId, name: nameOfPerson(session), merchantId };
}

/** The secret that the request came with. */
export function secretOf(request: FastifyRequest): string {
  return sessionSecretOf(request) ?? '';
}

/** The routes by which people sign in and out. */
export function signInRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/session',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags,
          operationId: 'createSession',
          summary: 'Sign in with e-mail address and password',
          description: 'Sets the cookie of the session. With a second factor the session is half until its code came.',
          body: SignInBody,
          response: answers(Success(SignedInSchema)),
        },
      },
      async (request, reply) => {
        const { email, password } = request.body;
        const secretBefore = sessionSecretOf(request);
        const visitor = visitorOf(request, deps.publicUrl);
        const { next, session } = await signIn(deps, { email, password, visitor, secretBefore });
        setSessionCookie(reply, session);
        return sendAnswer(reply, success('Success', { next }));
      },
    );
    app.post(
      '/session/second-factor',
      {
        config: { access: { session: 'MFA_PENDING' } },
        schema: {
          tags,
          operationId: 'verifySecondFactor',
          summary: 'Finish signing in with a code of the second factor',
          body: CodeBody,
          response: answers(Success(SignedInSchema)),
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const input = { session: sessionOf(request), secret: secretOf(request), visitor };
        setSessionCookie(reply, await finishSignIn(deps, { ...input, code: request.body.code }));
        return sendAnswer(reply, success('Success', { next: 'DONE' }));
      },
    );
    app.delete(
      '/session',
      {
        config: { access: { session: 'MFA_PENDING' } },
        schema: { tags, operationId: 'deleteSession', summary: 'Sign out', response: answers(Success(Nothing)) },
      },
      async (request, reply) => {
        const { personId, sessionId } = sessionOf(request);
        await endSession(deps, { personId, sessionId });
        clearSessionCookie(reply);
        return sendAnswer(reply, success('You have signed out.', null));
      },
    );
  };
}

/** The routes of a session, and of the password given again. */
export function sessionRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/session',
      {
        config: { access: { session: 'FULL' } },
        schema: {
          tags,
          operationId: 'getSession',
          summary: 'Who is signed in, and what they may do',
          description:
            'With `X-Support-View`, for one of the operator\u2019s staff: the merchant that is looked at, and what may be read.',
          response: answers(Success(SessionSchema)),
        },
      },
      async (request, reply) => {
        // Pages decide by the present state, and not by a cached one: approvals, PIN, services.
        deps.sessions.forgetSecret(secretOf(request));
        const session = await deps.sessions.authenticate(secretOf(request));
        const csrfToken = deps.sessions.csrfToken(session.sessionId);
        const token = supportViewTokenOf(request);
        const view = token === undefined ? null : await deps.supportViews.require(token, session);
        const mayRead = session.kind === 'OPERATOR' || (isFromThisMachine(request) && (await deps.outbox.isOpen()));
        const mailOutbox = view === null && mayRead;
        return sendAnswer(reply, success('Success', sessionView(session, { csrfToken, mailOutbox, view })));
      },
    );
    app.post(
      '/session/step-up',
      {
        config: { access: { session: 'FULL' } },
        schema: {
          tags,
          operationId: 'refreshSession',
          summary: 'Give the password again, before keys, PIN, people and limits',
          body: StepUpBody,
          response: answers(Success(StepUpSchema)),
        },
      },
      async (request, reply) => {
        const session = sessionOf(request);
        const { password, code } = request.body;
        const given = await givePasswordAgain(deps, { session, secret: secretOf(request), password, code });
        sendNewSecret(reply, session, given.secret);
        return sendAnswer(reply, success('Success', { stepUpUntil: given.stepUpUntil.toISOString() }));
      },
    );
  };
}

/** After a change of a session's secret; nothing is sent where another request was first. */
export function sendNewSecret(reply: FastifyReply, session: SignedIn, secret: string | undefined): void {
  if (secret !== undefined) setSessionCookie(reply, { secret, expiresAt: session.expiresAt });
}

/** The sessions of a person. */
export function ownSessionsRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, clock, sessions } = deps;
  return async (app) => {
    app.get(
      '/session/list',
      {
        config: { access: { session: 'FULL' } },
        schema: {
          tags,
          operationId: 'listSessions',
          summary: 'Where you are signed in, newest first',
          response: answers(Success(Type.Array(SessionRecord))),
        },
      },
      async (request, reply) => {
        const { personId, sessionId } = sessionOf(request);
        const now = clock.now();
        const since = new Date(now.getTime() - IDLE_MS);
        const rows = await database.query(listSessionsOfPerson, [personId, now, since]);
        return sendAnswer(
          reply,
          success(
            'Success',
            rows.map((row) => sessionRecord(row, sessionId)),
          ),
        );
      },
    );
    app.delete(
      '/session/:sessionId',
      {
        config: { access: { session: 'FULL' } },
        schema: {
          tags,
          operationId: 'revokeSession',
          summary: 'End one of your sessions',
          params: SessionParams,
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        await endSession(deps, { personId: sessionOf(request).personId, sessionId: request.params.sessionId });
        return sendAnswer(reply, success('The session has ended.', null));
      },
    );
    app.post(
      '/session/revoke-others',
      {
        config: { access: { session: 'FULL' } },
        schema: {
          tags,
          operationId: 'revokeOtherSessions',
          summary: 'End all of your sessions but this one',
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        const { personId, sessionId } = sessionOf(request);
        const ended = await endSessionsOf(database, personId, sessionId);
        sessions.forget(personId);
        return sendAnswer(
          reply,
          success(ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.`, null),
        );
      },
    );
  };
}
