import { CircleCheck, CircleDashed } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Section } from '../components/page-header.tsx';

type Lacks = Data<'get', '/onboarding/live'>['payout'];

const PARTY_WORDS: Record<Lacks[number]['waitsFor'], string> = {
  MERCHANT: 'You can do this.',
  OPERATOR: 'The operator has to do this.',
  SERVICE: 'This happens automatically.',
};

/** What is still missing before the first live payment in and the first live payout; nothing once neither lacks anything. */
export function LiveReadiness() {
  const { data } = useRead('/onboarding/live', {});
  if (data === undefined || data.paymentIn.length + data.payout.length === 0) return null;
  return (
    <Section
      title="Before the first live money"
      about="What is still missing in live mode. The sandbox needs none of it."
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <Ready title="First payment in" ready="Others can pay you now." lacks={data.paymentIn} />
        <Ready title="First payout" ready="You can pay out now." lacks={data.payout} />
      </div>
    </Section>
  );
}

function Ready({ title, ready, lacks }: { title: string; ready: string; lacks: Lacks }) {
  return (
    <div>
      <h3 className="mb-2 font-medium">{title}</h3>
      <ul className="flex flex-col gap-2">
        {lacks.length === 0 && (
          <li className="flex gap-2.5">
            <CircleCheck className="mt-0.5 size-4.5 shrink-0 text-good" aria-hidden />
            {ready}
          </li>
        )}
        {lacks.map(({ code, message, waitsFor }) => (
          <li key={code} className="flex gap-2.5">
            <CircleDashed className="mt-0.5 size-4.5 shrink-0 text-muted" aria-hidden />
            <span>
              {message} <span className="text-muted">{PARTY_WORDS[waitsFor]}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
