import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Which methods an address takes, for whoever came with another: the same router as the server's, over the same routes.
 * Call it before the first route is added.
 * @returns for the path of a request the methods in the order above; none where there is no such address
 */
export function collectMethods(app: FastifyInstance): (url: string) => string[] {
  const router = findMyWay({ ignoreTrailingSlash: true });
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat() as HTTPMethod[]) {
      if (!router.hasRoute(each, url)) router.on(each, url, () => undefined);
    }
  });
  return (url) => {
    const path = url.split('?', 1)[0] as string;
    return METHODS.filter((method) => router.find(method, path) !== null);
  };
}
