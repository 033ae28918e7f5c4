import { describe, expect, onTestFinished, test } from 'vitest'
import { noPrograms, programs, startPair, until } from '../../../test/postgres-pair.ts'
import { createLog } from '../log/log.ts'
import { createPool } from './pool.ts'
import { faultOf, StandbyWatch } from './standby-watch.ts'

test('a login that may not see the standbys cannot vouch for one', () => {
  expect(faultOf({ isBlind: true, synchronous: 'b', following: 0 })).toContain('pg_monitor')
})

describe.skipIf(!programs())(`a primary and a synchronous standby (else: ${noPrograms})`, () => {
  test('it tells when the standby goes, comes again, and is not demanded any more', async () => {
    const { primary, standby, url, stop } = await startPair({ synchronous: true }, { fsync: 'off' })
    onTestFinished(stop)
    const pool = createPool(url, 2, () => {})
    onTestFinished(() => pool.end())
    const told: (string | null)[] = []
    const watch = new StandbyWatch(pool, createLog('silent'), (fault) => void told.push(fault))
    onTestFinished(() => watch.stop())
    await watch.start()
    expect(watch.fault).toBeNull()
    await standby.stop()
    await until(() => watch.fault?.startsWith('No synchronous standby follows') ?? false)
    await standby.start()
    await until(() => watch.fault === null)
    await primary.set('synchronous_standby_names', '')
    await until(() => watch.fault?.startsWith('No standby is synchronous') ?? false)
    expect(told).toHaveLength(4)
  }, 120_000)
})
