const BULK = 'fills a database by the thousand'
const WATCHED = 'one statement gives a bench thousands of alarms with their people'

/** Files that insert by themselves what factories make, with the reason. */
export const EXCEPTIONS = {
  'server/test/demand-changes.db.test.ts': 'tests the refusal of a change without its event',
  'server/test/tenancy.db.test.ts': 'tests the refusal of a row of another company',
  'server/src/core/alarms/trigger-sql.db.test.ts': 'needs triggers in every state of the table of their life',
  'bench/pipeline/fleet.ts': BULK,
  'bench/pipeline/alarms.ts': BULK,
  'bench/map.ts': BULK,
  'bench/query/load.ts': BULK,
  'bench/season/scene.ts': BULK,
  'bench/query/van.ts': 'gives its device a past of 400 days in the transaction of its readings',
  'bench/back-test/load.ts': BULK,
  'bench/chart/whole-way.ts': 'gives a device a past of 400 days',
  'bench/deliveries/scene.ts': WATCHED,
  'bench/storm/scene.ts': WATCHED,
}
