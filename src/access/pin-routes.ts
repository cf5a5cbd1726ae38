import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, Pin, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Tenant } from '../platform/tenant.ts';
import { PinStateSchema } from './key-schemas.ts';
import type { PinGuard } from './pin.ts';
import { nameOfCaller } from './principal.ts';

const tags = ['Dashboard: PIN'];
const NewPinBody = Type.Object({ pin: Pin() }, { additionalProperties: false });

/** A PIN for each mode, of the mode that the page is in. It is in no answer and no log, and is set after the password. */
export function pinRoutes(deps: { pinGuard: PinGuard }): FastifyPluginAsyncTypebox {
  const stateOf = async (tenant: Tenant) => {
    const state = await deps.pinGuard.readPin(tenant);
    return {
      mode: tenant.mode,
      isSet: state !== undefined,
      setAt: state?.setAt.toISOString() ?? null,
      lockedUntil: state?.lockedUntil?.toISOString() ?? null,
    };
  };
  return async (app) => {
    app.get(
      '/pin',
      {
        config: { access: { scope: null, person: true, beforeApproval: true } },
        schema: {
          tags,
          operationId: 'getPin',
          summary: 'Whether the PIN of the mode is set, and whether it is locked',
          response: answers(Success(PinStateSchema)),
        },
      },
      async (request, reply) => sendAnswer(reply, success('Success', await stateOf(request.principal.tenant))),
    );
    app.post(
      '/pin',
      {
        config: { access: { scope: null, permission: 'pin:manage', stepUp: true, beforeApproval: true } },
        schema: {
          tags,
          operationId: 'setPin',
          summary: 'Set or change the PIN of the merchant in this mode',
          body: NewPinBody,
          response: answers(Success(PinStateSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        await deps.pinGuard.setPin(tenant, request.body.pin, nameOfCaller(request.principal));
        return sendAnswer(reply, success('The PIN was set', await stateOf(tenant)));
      },
    );
  };
}
