import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiBase } from '@isotherm/contract/call.ts'
import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { aDevice } from '../test/device-factory.ts'
import { noPrograms, type PostgresPair, programs, startPair, until } from '../test/postgres-pair.ts'
import { statusOf } from './core/operator/status.ts'
import { loadConfig } from './platform/config/config.ts'
import { inTenant } from './platform/db/transaction.ts'
import { type Running, start } from './start.ts'

describe.skipIf(!programs())(`a server with REQUIRE_SYNC_STANDBY (else: ${noPrograms})`, () => {
  let pair: PostgresPair
  let dataDir: string
  let live: Running
  let device: Awaited<ReturnType<typeof aDevice>>
  beforeAll(async () => {
    pair = await startPair({ synchronous: true }, { fsync: 'off' })
    dataDir = await mkdtemp(join(tmpdir(), 'isotherm-sync-'))
    live = await start(
      loadConfig({
        ...{ DATA_DIR: dataDir, DATABASE_URL: pair.url, REQUIRE_SYNC_STANDBY: 'on', HOST: '127.0.0.1', PORT: '0' },
        ...{ MQTT_PORT: '0', METRICS_PORT: 'off', LOG_LEVEL: 'silent', OVERLOAD_DELAY_MS: '0' },
      }),
    )
    device = await aDevice(live.services)
  }, 240_000)
  afterAll(async () => {
    // Without a standby commits would wait, also those of the end.
    await pair?.primary.set('synchronous_standby_names', '').catch(() => {})
    await live?.stop()
    await pair?.stop()
    if (dataDir) await rm(dataDir, { recursive: true })
  }, 120_000)

  const anHourAgo = Date.now() - 3_600_000
  const second = (n: number) => new Date(anHourAgo + 1_000 * n).toISOString()
  const post = async (n: number) => {
    const answer = await fetch(`${live.url}${apiBase}/ingest/${device.imei}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${device.secret}` },
      body: JSON.stringify({ at: second(n), temperatureC: 5 }),
    })
    return answer.status
  }
  const ready = async () => (await fetch(`${live.url}/ready`)).status
  const stored = async () => {
    const work = inTenant(live.services.pool, device.companyId, ({ client }) =>
      client.query<{ measured_at: Date }>('select measured_at from readings order by 1'),
    )
    return (await work).rows.map(({ measured_at }) => measured_at.toISOString())
  }
  const refusal = 'Readings are refused (REQUIRE_SYNC_STANDBY).'

  test('readings are refused and PUBACKs wait while the standby is away, and all is taken once it is back', async () => {
    expect([await ready(), await post(1)]).toEqual([200, 200])
    expect((await statusOf(live.services)).warnings).not.toContain(refusal)
    const { imei: username, secret: password } = device
    const tracker = await mqtt.connectAsync(`mqtt://127.0.0.1:${live.mqttPort}`, { username, password })
    onTestFinished(() => tracker.endAsync(true))

    await pair.standby.stop()
    await until(async () => (await ready()) === 503)
    expect(await post(2)).toBe(503)
    let isAcked = false
    const body = JSON.stringify({ at: second(3), temperatureC: 5 })
    const published = tracker.publishAsync(`devices/${username}/readings`, body, { qos: 1 }).then(() => {
      isAcked = true
    })
    expect((await statusOf(live.services)).warnings).toContain(refusal)
    expect(await post(2)).toBe(503)
    expect([isAcked, await stored()]).toEqual([false, [second(1)]])

    await pair.standby.start()
    await until(async () => (await ready()) === 200)
    await published
    expect(await post(2)).toBe(200)
    expect(await stored()).toEqual([second(1), second(2), second(3)])
  }, 120_000)

  test('a primary that demands no standby any more takes no readings either', async () => {
    await pair.primary.set('synchronous_standby_names', '')
    await until(async () => (await ready()) === 503)
    expect(await post(4)).toBe(503)
    await pair.primary.set('synchronous_standby_names', 'standby')
    await until(async () => (await ready()) === 200)
    expect(await post(4)).toBe(200)
  }, 120_000)
})
