import type { FastifyReply } from 'fastify';

/** The pages run their own scripts and talk to this service: nothing inline, nothing from elsewhere. */
const RULES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
];

/** Whose pages may show this one in a frame, and whether one of them has opened it in a window of its own. */
export interface Embedding {
  shops: readonly string[];
  /** Then that page keeps its hold on the window: it gets the messages of ours. */
  shop: string | undefined;
}

export const NOT_EMBEDDED: Embedding = { shops: [], shop: undefined };

/** Sends a page, in no cache and no frame but those that its merchant named. */
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
