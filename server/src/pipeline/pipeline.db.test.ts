import { expect, test } from 'vitest'
import { describeIngest } from '../../test/describe-app.ts'

const pipeline = describeIngest()

test('a reading by HTTP is stored, becomes the latest and is published once committed', async () => {
  const device = await pipeline.device()
  const events = pipeline.listen(device.companyId)
  const sent = await pipeline.post(device, {
    at: '2026-11-20T11:59:00Z',
    temperatureC: 4.25,
    humidityPct: 51,
    batteryPct: 88,
  })
  expect(sent).toMatchObject({ status: 200, answer: { accepted: 1, duplicates: 0, rejected: [], commands: [] } })
  expect(events).toMatchObject([
    {
      kind: 'reading',
      deviceId: device.id,
      data: { count: 1, latest: { temperatureC: 4.25, measuredAt: '2026-11-20T11:59:00.000Z' } },
    },
  ])
})

test('a reading by MQTT at QoS 1 is acknowledged once stored', async () => {
  const device = await pipeline.device()
  const client = await pipeline.connect(device)
  const events = pipeline.listen(device.companyId)
  await client.publishAsync(`devices/${device.imei}/readings`, JSON.stringify({ temperatureC: 9 }), { qos: 1 })
  expect(events.map((event) => event.kind)).toEqual(['reading', 'excursion'])
})
