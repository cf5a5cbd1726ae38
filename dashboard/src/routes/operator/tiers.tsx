import { createFileRoute } from '@tanstack/react-router';
import { TiersPage } from '../../compliance/tiers-page.tsx';

export const Route = createFileRoute('/operator/tiers')({ component: TiersPage });
