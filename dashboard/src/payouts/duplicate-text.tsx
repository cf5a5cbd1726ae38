import { Link } from '@tanstack/react-router';

/** Where in the sentence of a refusal the payout or the list stands that is repeated. */
const NAMED = /(transaction |bulk payout )([0-9a-f-]{36}|MNB[0-9a-f]{32})/;

/** What a refused payout repeats, as the service says it, with a link to that. */
export function DuplicateText({ message }: { message: string }) {
  const found = NAMED.exec(message);
  if (found === null) return message;
  const [whole, what = '', name = ''] = found;
  return (
    <>
      {message.slice(0, found.index)}
      <RepeatedLink what={what} name={name} />
      {message.slice(found.index + whole.length)}
    </>
  );
}

function RepeatedLink({ what, name }: { what: string; name: string }) {
  const look = 'font-medium underline';
  if (name.startsWith('MNB')) {
    return (
      <Link to="/bulk/$batchReference" params={{ batchReference: name }} className={look}>
        {what}
        {name}
      </Link>
    );
  }
  return (
    <Link to="/payouts/$transactionId" params={{ transactionId: name }} className={look}>
      {what}
      {name}
    </Link>
  );
}
