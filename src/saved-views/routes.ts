import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Member } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { MAX_LONG_BODY_BYTES, sendAnswer } from '../platform/http/server.ts';
import { addView, changeView, type Owner, readViews, removeView, type ViewDeps } from './change-views.ts';
import { CreateViewBody, ListViewsQuery, SavedViewsSchema, UpdateViewBody, ViewParams } from './schemas.ts';

const tags = ['Dashboard: saved views'];
const config = { access: { scope: null, person: true, beforeApproval: true }, idempotent: false } as const;
const response = answers(Success(SavedViewsSchema));

/** Named filters and columns of a person's lists. Each answer has all of the list's views, as they are then. */
export function savedViewRoutes(deps: ViewDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/saved-view',
      {
        config,
        schema: {
          tags,
          operationId: 'listSavedViews',
          summary: 'The views of a list: your own, and what others share',
          querystring: ListViewsQuery,
          response,
        },
      },
      async (request, reply) => {
        const found = await readViews(deps.database, ownerOf(request), request.query.list);
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.post(
      '/saved-view',
      {
        config,
        bodyLimit: MAX_LONG_BODY_BYTES,
        schema: {
          tags,
          operationId: 'createSavedView',
          summary: 'Keep a view of a list',
          body: CreateViewBody,
          response,
        },
      },
      async (request, reply) => {
        const owner = ownerOf(request);
        await addView(deps, owner, request.body);
        return sendAnswer(
          reply,
          success('The view is saved', await readViews(deps.database, owner, request.body.list)),
        );
      },
    );
    await addRoutes(app, oneViewRoutes(deps));
  };
}

function oneViewRoutes(deps: ViewDeps): FastifyPluginAsyncTypebox {
  const done = answers(Success(ViewParams));
  return async (app) => {
    app.patch(
      '/saved-view/:viewId',
      {
        config,
        bodyLimit: MAX_LONG_BODY_BYTES,
        schema: {
          tags,
          operationId: 'updateSavedView',
          summary:
            'Change a view of yours: its name, what it holds, whether others see it, whether the list opens with it',
          params: ViewParams,
          body: UpdateViewBody,
          response: done,
        },
      },
      async (request, reply) => {
        const { viewId } = request.params;
        await changeView(deps, ownerOf(request), { viewId, changes: request.body });
        return sendAnswer(reply, success('The view is changed', { viewId }));
      },
    );
    app.delete(
      '/saved-view/:viewId',
      {
        config,
        schema: {
          tags,
          operationId: 'deleteSavedView',
          summary: 'Delete a view of yours',
          params: ViewParams,
          response: done,
        },
      },
      async (request, reply) => {
        const { viewId } = request.params;
        await removeView(deps.database, ownerOf(request), viewId);
        return sendAnswer(reply, success('The view is deleted', { viewId }));
      },
    );
  };
}

/** The guard lets nobody else in. */
function ownerOf({ principal }: FastifyRequest): Owner {
  return { tenant: principal.tenant, personId: (principal.member as Member).personId };
}
