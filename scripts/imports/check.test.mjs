import { describe, expect, test } from 'vitest'
import { checkImports } from './check.mjs'

const check = (files) => checkImports(new Map(Object.entries(files)))
const one = (path, text) => check({ [path]: text })

describe('allowed', () => {
  test.each([
    ['contract/src/users.ts', `import { z } from 'zod'\nimport { get } from './call.ts'`],
    ['server/src/domain/mkt.ts', `import type { Reading } from '@isotherm/contract/readings.ts'`],
    ['server/src/domain/runs.ts', `import { wallAt } from '@isotherm/contract/zone-times.ts'`],
    ['server/src/features/users/verbs.ts', `import { queries } from './queries.ts'\nimport pg from 'pg'`],
    ['server/src/features/users/verbs.ts', `import { mkt } from '../../domain/mkt.ts'`],
    ['server/src/features/users/verbs.ts', `import { csvOf } from '../../reporting/csv.ts'`],
    ['server/src/reporting/csv.ts', `import { letter } from '../platform/mail/letter.ts'`],
    ['server/src/pipeline/store/store.ts', `import { stateSql } from '../../core/alarms/trigger-sql.ts'`],
    ['server/src/app.ts', `import { pipeline } from './pipeline/pipeline.ts'`],
    ['web/src/features/users/page.tsx', `import { List } from '../../ui/list/list.tsx'\nimport './page.css'`],
    ['web/src/app/dashboard/page.tsx', `import { Tile } from '../../features/devices/parts/tile.tsx'`],
    ['web/src/lib/i18n.ts', `const load = () => import('@isotherm/contract/locales/en/common.json')`],
    [
      'server/src/domain/mkt.test.ts',
      `import { testDatabase } from '../../test/database.ts'\nimport fs from 'node:fs'`,
    ],
    ['web/src/lib/x.ts', `// import { a } from 'node:fs'\n/* import b from '../app/b.ts' */ const c = 'https://x'`],
  ])('%s: %s', (path, text) => {
    expect(one(path, text)).toEqual([])
  })
})

describe('refused', () => {
  test.each([
    ['contract/src/users.ts', `import x from 'pg'`, 'may not use the package pg'],
    ['contract/src/users.ts', `import { x } from '../../server/src/app.ts'`, 'contract may not import server app'],
    ['server/src/domain/mkt.ts', `import { x } from '@isotherm/contract/readings.ts'`, 'only types from contract'],
    ['server/src/domain/mkt.ts', `import { readFile } from 'node:fs'`, 'may not use the package node:fs'],
    [
      'server/src/domain/mkt.ts',
      `import { clock } from '../platform/clock/clock.ts'`,
      'domain may not import platform',
    ],
    ['server/src/platform/a.ts', `export { x } from '../features/users/verbs.ts'`, 'platform may not import features'],
    ['server/src/platform/a.ts', `import { x } from '../reporting/csv.ts'`, 'platform may not import reporting'],
    ['server/src/platform/a.ts', `import { x } from '../core/devices/licences.ts'`, 'platform may not import core'],
    ['server/src/core/a.ts', `import { x } from '../reporting/csv.ts'`, 'core may not import reporting'],
    ['server/src/reporting/a.ts', `import { x } from '../features/a/v.ts'`, 'reporting may not import features'],
    ['server/src/features/a/v.ts', `import type { X } from '../b/v.ts'`, 'feature a may not import feature b'],
    ['server/src/features/a/v.ts', `import { x } from '../../pipeline/push.ts'`, 'features may not import pipeline'],
    ['server/src/pipeline/a.ts', `import { x } from '../features/a/v.ts'`, 'pipeline may not import features'],
    ['server/src/pipeline/a.ts', `import { x } from '../app.ts'`, 'pipeline may not import server app'],
    ['server/src/features/a/v.ts', `import {\n  x,\n} from '../../../test/database.ts'`, 'for tests only'],
    [
      'web/src/ui/list.tsx',
      `const x = await import('../features/users/api.ts')`,
      'web base may not import web features',
    ],
    ['web/src/features/a/p.tsx', `import '../b/p.css'`, 'feature a may not import feature b'],
    ['web/src/features/a/p.tsx', `import { r } from '../../app/router.ts'`, 'web features may not import web app'],
    [
      'web/src/app/a/p.tsx',
      `import c from '../../features/a/p.module.css'`,
      'web app keeps its own CSS, not that of a',
    ],
    [
      'web/src/ui/list.tsx',
      `import { alarms } from '@isotherm/contract/alarms.ts'`,
      'contract/src/alarms.ts is of a feature: web/src/shared may know it',
    ],
    ['web/src/app/x.ts', `import { join } from 'node:path'`, 'may not use the package node:path'],
    ['simulator/src/main.ts', `import { x } from '../../server/src/app.ts'`, 'simulator may not import server app'],
    ['web/src/app/x.ts', `import x from '../../../bench/x.ts'`, 'may not reach into bench'],
  ])('%s: %s', (path, text, reason) => {
    expect(one(path, text)).toEqual([expect.stringContaining(reason)])
  })

  test('the line of the import is named', () => {
    expect(one('contract/src/a.ts', `import { z } from 'zod'\n\nimport x from 'pg'`)[0]).toMatch(
      /^contract\/src\/a\.ts:3 /,
    )
  })
})

describe('circles', () => {
  const a = 'server/src/platform/a.ts'
  const b = 'server/src/platform/b.ts'

  test('two modules that load each other are found, once', () => {
    expect(check({ [a]: `import { b } from './b.ts'`, [b]: `export * from './a.ts'` })).toEqual([
      `circle: ${a} -> ${b} -> ${a}`,
    ])
  })

  test('a module that loads itself is found', () => {
    expect(check({ [a]: `import { a } from './a.ts'` })).toEqual([`circle: ${a} -> ${a}`])
  })

  test.each([
    [a, b],
    ['web/src/ui/a.ts', 'web/src/ui/b.ts'],
    ['bench/a.ts', 'bench/b.ts'],
    ['scripts/a/a.ts', 'scripts/a/b.ts'],
  ])('types alone make a circle: %s, %s', (one, other) => {
    expect(check({ [one]: `import { b } from './b.ts'`, [other]: `import { type A } from './a.ts'` })).toEqual([
      `circle: ${one} -> ${other} -> ${one}`,
    ])
  })
})
