import { expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'

const pipeline = describeIngest({ rejectedPerDay: { bytes: 2_000, rows: 6 } })

const broken = (bytes: number) => `{"temperatureC": "${'x'.repeat(bytes)}`
const daysOf = (imei: string) =>
  pipeline.rows<{ messages: string; rows: number; bytes: string }>(
    'select messages, kept_rows as rows, kept_bytes as bytes from rejected_days where imei = $1 order by day',
    [imei],
  )

test('beyond a tracker’s bytes of the day the beginning is kept, beyond its rows nothing; all is counted (H4)', async () => {
  const device = await pipeline.device()
  const sent = []
  for (let n = 0; n < 8; n++) sent.push(await pipeline.post(device, broken(900)))
  // Nonsense is acknowledged as well: a device must not send it for ever.
  expect(new Set(sent.map(({ status }) => status)).size).toBe(1)
  const kept = await pipeline.rejectedOf(device)
  expect(kept.map(({ code }) => code)).toEqual(Array(6).fill('MALFORMED'))
  expect(kept.map(({ payload }) => payload.length)).toEqual([918, 918, 256, 256, 256, 256])
  expect(await daysOf(device.imei)).toEqual([{ messages: '8', rows: 6, bytes: '1836' }])
})

test('a day’s figure is of one tracker, and the next day begins anew (H4)', async () => {
  const [one, other] = [await pipeline.device(), await pipeline.device()]
  for (let n = 0; n < 7; n++) await pipeline.post(one, broken(10))
  await pipeline.post(other, broken(10))
  expect((await pipeline.rejectedOf(one)).length).toBe(6)
  expect((await pipeline.rejectedOf(other)).length).toBe(1)
  pipeline.clock.advance(86_400_000)
  await pipeline.post(one, broken(10))
  expect((await pipeline.rejectedOf(one)).length).toBe(7)
  expect((await daysOf(one.imei)).map(({ messages }) => messages)).toEqual(['7', '1'])
})

test('a reading that makes sense is stored all the same', async () => {
  const device = await pipeline.device()
  for (let n = 0; n < 7; n++) await pipeline.post(device, broken(10))
  expect((await pipeline.post(device, { temperatureC: 4 })).answer).toMatchObject({ accepted: 1 })
  expect(await pipeline.readingsOf(device)).toMatchObject([{ temperature_centi: 400 }])
})
