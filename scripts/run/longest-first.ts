import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tiers in the order they begin: files of e2e last a minute, of db seconds, and pure ones less. The one of cluster waits for the most part, beside short ones of db. */
const TIERS = [['e2e'], ['db', 'cluster'], ['pure'], ['pure-page'], ['pure-web'], ['pure-rules']]

/** The longest files, the longest first. A file that is not named begins after those of its tier that are. */
const LONGEST = [
  'e2e/every-screen.e2e.test.ts',
  'e2e/switches.test.ts',
  'e2e/subscription.test.ts',
  'e2e/maps.test.ts',
  'e2e/alarms.test.ts',
  'e2e/devices.test.ts',
  'e2e/access-looks.e2e.test.ts',
  'e2e/access-shell.e2e.test.ts',
  'e2e/access-guards.e2e.test.ts',
  'e2e/access-links.e2e.test.ts',
  'e2e/shipments.e2e.test.ts',
  'e2e/dispatch-day.test.ts',
  'e2e/device-life.test.ts',
  'e2e/device-reports.e2e.test.ts',
  'e2e/devices-bulk.test.ts',
  'server/test/fuzz.db.test.ts',
  'server/src/features/device-reports/reports.db.test.ts',
  'scripts/asvs/asvs.db.test.ts',
  'server/test/event-loop.db.test.ts',
  'server/src/features/billing/any-order.db.test.ts',
  'server/test/matrix.db.test.ts',
  'server/src/features/reports/sweep.db.test.ts',
  'server/test/private.db.test.ts',
  'server/src/features/reports/report-links.db.test.ts',
  'server/src/features/reports/reports.db.test.ts',
  'server/src/features/alarms/back-test.db.test.ts',
  'server/src/platform/db/standby-watch.db.test.ts',
  'server/test/idempotency.db.test.ts',
  'server/src/features/basemap/routes.test.ts',
  'e2e/several-nodes.cluster.test.ts',
  'server/src/platform/audit/tampering.test.ts',
]

/** Begins with the longest tier and its longest files: the workers then end together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => tierOf(a) - tierOf(b) || placeOf(a) - placeOf(b))
  }
}

const tierOf = ({ project }: TestSpecification) => TIERS.findIndex((names) => names.includes(project.name))

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`))
  return place < 0 ? LONGEST.length : place
}
