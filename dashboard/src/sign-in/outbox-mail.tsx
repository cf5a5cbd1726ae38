import type { Data } from '../api/types.ts';
import { Moment } from '../components/moment.tsx';

/** A mail as it would have been sent; its link is one click away. */
export function OutboxMail({ mail }: { mail: Data<'get', '/mail'>[number] }) {
  return (
    <li className="card p-5">
      <article aria-label={mail.subject}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="font-semibold">{mail.subject}</h2>
          <Moment at={mail.at} className="text-xs text-muted" />
        </div>
        <p className="text-xs text-muted">To {mail.to}</p>
        <p className="mt-3 text-sm break-words whitespace-pre-line">{mail.text}</p>
        {mail.link !== null && (
          <a href={mail.link} className="mt-3 inline-block font-medium text-accent underline">
            Open the link
          </a>
        )}
      </article>
    </li>
  );
}
