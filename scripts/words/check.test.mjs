import { describe, expect, test } from 'vitest'
import { checkWords } from './check.mjs'

const one = (path, text) => checkWords(new Map([[path, text]]))

describe('refused', () => {
  test.each([
    ['server/src/pipeline/lane.ts', 'await asRoad(pool, work)', 'write pipeline'],
    ['server/test/x.ts', "await client.query('set local role road')", 'write pipeline'],
    ['server/src/features/devices/change.ts', 'await wish(tx, about)', 'write command'],
    ['server/src/pipeline/notify/x.ts', '// The poisoned event is put aside.', 'write quarantine'],
    ['server/src/features/alarms/x.ts', 'interface ToldRow {', 'write receipt'],
    ['server/src/features/alarms/x.ts', 'type Wanted = Pick<Alarm, "id">', 'write a name'],
    ['web/src/lib/x.ts', 'const mostShown = 5', 'write max...'],
    ['server/src/features/alarms/x.ts', 'ids.flatMap((id, place) => place)', 'write index'],
    ['server/src/pipeline/x.ts', '/** What a lane keeps. */', 'begins with its subject'],
    ['server/src/domain/x.ts', '  // Whoever asks waits.', 'begins with its subject'],
    ['docs/operations.md', 'Backups were added with issue 7.', 'issue numbers'],
    ['README.md', 'See #12.', 'issue numbers'],
  ])('%s: %s', (path, text, reason) => {
    expect(one(path, text)).toEqual([expect.stringContaining(reason)])
  })

  test('the line is named', () => {
    expect(one('server/src/domain/a.ts', 'const a = 1\n// What a is.')[0]).toMatch(/^server\/src\/domain\/a\.ts:2 /)
  })
})

describe('allowed', () => {
  test.each([
    ['server/src/demo/groups.ts', "name: 'On the road',"],
    ['simulator/src/spec.ts', 'road: RoadId'],
    ['web/src/map/map-type-menu.tsx', '/** The road map is always there. */'],
    ['contract/src/triggers.ts', 'told: z.array(Receipt),'],
    ['server/src/commands/backup/swap.ts', 'await mkdir(aside, { mode: 0o700 })'],
    ['web/src/map/x.ts', 'places.map((place) => place.name)'],
    ['server/src/pipeline/x.ts', '/** Reads what a lane keeps. */'],
    ['server/src/domain/x.ts', '// What if the clock jumps?'],
    ['docs/devices.md', 'A colour such as `#112233`, and 3 issues of a report.'],
  ])('%s: %s', (path, text) => {
    expect(one(path, text)).toEqual([])
  })
})
