import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export interface Addresses {
  /** The methods of the path of a request, in the order above; none where there is no such address. */
  methodsOf(url: string): readonly string[];
  /** The path is written out in other routes and only fits the placeholders of this one: `GET /store/debit` of `/store/:id`. */
  isOfOthers(url: string, route: string | undefined): boolean;
}

/**
 * Which methods an address takes, for whoever came with another: the same router as the server's, over the same routes.
 * A path that a route writes out is that route's alone, also for the methods that it does not have (OpenAPI 3.1, Paths
 * Object: concrete paths come before templated ones). Call it before the first route is added.
 */
export function collectAddresses(app: FastifyInstance): Addresses {
  const router = findMyWay({ ignoreTrailingSlash: true });
  const writtenOut = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat() as HTTPMethod[];
    for (const each of methods) if (!router.hasRoute(each, url)) router.on(each, url, () => undefined);
    if (!/[:*]/.test(url)) writtenOut.set(url, new Set([...(writtenOut.get(url) ?? []), ...methods]));
  });
  const writtenOutAt = (url: string) => writtenOut.get(pathOf(url).replace(/(?<=.)\/$/, ''));
  return {
    methodsOf: (url) => {
      const own = writtenOutAt(url);
      return METHODS.filter((method) => own?.has(method) ?? router.find(method, pathOf(url)) !== null);
    },
    isOfOthers: (url, route) => route?.includes('/:') === true && writtenOutAt(url) !== undefined,
  };
}

const pathOf = (url: string): string => url.split('?', 1)[0] as string;
