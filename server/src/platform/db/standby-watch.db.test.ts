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
    const changed = (fault: string | null) => void told.push(fault)
    const watch = new StandbyWatch({ pool, log: createLog('silent'), refuses: true, isShared: false, changed })
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

  test('where readings are taken without one, a standby is missed once there are several servers, or there was one', async () => {
    const { primary, standby, url, stop } = await startPair({ synchronous: false }, { fsync: 'off' })
    onTestFinished(stop)
    const pool = createPool(url, 2, () => {})
    onTestFinished(() => pool.end())
    const watchBy = async (isShared: boolean) => {
      const watch = new StandbyWatch({ pool, log: createLog('silent'), refuses: false, isShared })
      onTestFinished(() => watch.stop())
      await watch.start()
      return watch
    }
    const [alone, shared] = [await watchBy(false), await watchBy(true)]
    expect([alone.fault, shared.fault?.split(':')[0]]).toEqual([null, 'No standby is synchronous'])
    await primary.set('synchronous_standby_names', 'standby')
    await until(() => shared.fault === null)
    await standby.stop()
    await until(() => alone.fault !== null && shared.fault !== null)
    await primary.set('synchronous_standby_names', '')
    await until(() => alone.fault?.startsWith('No standby is synchronous') ?? false)
  }, 120_000)
})
