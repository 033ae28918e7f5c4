import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { joiningScene } from '../../../test/joining-scene.ts'

const t = describeApp()
const pipeline = describePipeline(t)

test.each([
  ['twenty minutes before the end', 220, 'inRange', 180],
  ['forty minutes before the end', 200, 'incomplete', 3600],
] as const)(
  'a last reading of %s is judged by the interval of then, in lists as in the record, whatever is set later',
  async (_, last, verdict, later) => {
    const s = await joiningScene(t, pipeline)
    const device = await s.device('Logger')
    const id = await s.started([device])
    await s.measures(device, 0, last, 5)
    await s.complete(id, 240)
    const told = async () => [
      (await s.listed(id)).verdict,
      (await s.details(id)).verdict,
      (await s.linkOf(id)).conditions.verdict,
    ]
    const before = await told()
    expect(before).toEqual([verdict, verdict, verdict])
    const { companyId } = s.admin
    await t.change(companyId, 'update devices set interval_s = $2 where id = $1', [device.id, later])
    await t.change(
      companyId,
      "update device_intervals set valid_from = $2 where device_id = $1 and valid_from > '-infinity'",
      [device.id, s.at(300)],
    )
    t.clock.set(s.at(310))
    expect([...(await told()), (await s.statsOf(id)).verdict]).toEqual([...before, verdict])
  },
)
