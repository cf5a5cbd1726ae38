import { Amount } from '../components/values.tsx';
import { type Rules, rulesOf } from './rules.ts';

/** The rules in force, to read. */
export function RulesTable({ rules }: { rules: Rules }) {
  return (
    <table className="w-full max-w-md text-sm">
      <caption className="sr-only">Approval rules</caption>
      <thead>
        <tr className="border-b text-xs text-muted">
          <th scope="col" className="py-2 text-right font-medium">
            From
          </th>
          <th scope="col" className="py-2 text-right font-medium">
            Approvals
          </th>
        </tr>
      </thead>
      <tbody>
        {rulesOf(rules).map(({ fromAmount, approvals }) => (
          <tr key={fromAmount} className="border-b last:border-0">
            <td className="py-2 text-right">
              <Amount value={fromAmount} />
            </td>
            <td className="figures py-2 text-right">{approvals}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
