import { Section } from '../components/page-header.tsx';
import { Timeline } from '../components/timeline.tsx';
import { bandText, chargeText, type FeeRule, KINDS } from './fee-words.ts';

/** The days on which something changed or will change, the latest first. */
export function FeesTimeLine({ rules }: { rules: readonly FeeRule[] }) {
  const days = [
    ...new Set(rules.flatMap(({ effectiveFrom, effectiveTo }) => [effectiveFrom, effectiveTo ?? []].flat())),
  ];
  const entries = days
    .sort((a, b) => b.localeCompare(a))
    .map((at) => {
      const begins = rules.filter((rule) => rule.effectiveFrom === at);
      const ends = rules.filter((rule) => rule.effectiveTo === at);
      const ahead = begins.some(({ state }) => state === 'AHEAD') || ends.some(({ state }) => state !== 'ENDED');
      const kinds = [...new Set([...begins, ...ends].map(({ kind }) => KINDS[kind]))];
      return {
        key: at,
        at,
        title: `${kinds.join(', ')} ${ahead ? 'will change' : 'changed'}`,
        tone: ahead ? ('warn' as const) : ('info' as const),
        detail: (
          <ul className="text-xs text-muted">
            {begins.map((rule) => (
              <li key={rule.ruleId}>
                {KINDS[rule.kind]}, {bandText(rule).toLowerCase()}: {chargeText(rule).toLowerCase()}
              </li>
            ))}
            {ends.map((rule) => (
              <li key={rule.ruleId}>
                Ends: {KINDS[rule.kind]}, {bandText(rule).toLowerCase()}
              </li>
            ))}
          </ul>
        ),
      };
    });
  return (
    <Section title="When what changed">
      <Timeline entries={entries} />
    </Section>
  );
}
