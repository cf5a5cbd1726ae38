import { createFileRoute } from '@tanstack/react-router';
import { PeoplePage } from '../../../people/people-page.tsx';

export const Route = createFileRoute('/_merchant/settings/people')({ component: PeoplePage });
