import type { FastifyReply } from 'fastify';

/** The pages load scripts and styles of this service and send requests to it: nothing inline, nothing from elsewhere. */
const RULES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
];

/** Which pages may show this one in a frame, and whether one of them has opened it. */
export interface Embedding {
  shops: readonly string[];
  /** Its origin. That page keeps its reference to the window, and gets the messages of this one. */
  shop: string | undefined;
}

export const NOT_EMBEDDED: Embedding = { shops: [], shop: undefined };

/** Sends a page, which is not cached, and framed only by pages that its merchant allowed. */
export function sendPage(reply: FastifyReply, page: string, { shops, shop }: Embedding): FastifyReply {
  const ancestors = shops.length === 0 ? "'none'" : shops.join(' ');
  // Older than the policy, and it knows no list: browsers that know both keep to the policy.
  if (shops.length > 0) reply.removeHeader('x-frame-options');
  return reply
    .headers({
      'content-security-policy': [...RULES, `frame-ancestors ${ancestors}`].join('; '),
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': shop === undefined ? 'same-origin' : 'unsafe-none',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}
