import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import mqtt, { type MqttClient } from 'mqtt'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { changeSecret } from '../../core/provider/hardware.ts'
import { asLogin } from '../../platform/db/transaction.ts'

const pipeline = describeIngest({ maxWaiting: 8 })

const readingsTopic = (device: TestDevice) => `devices/${device.imei}/readings`
const publish = (client: MqttClient, topic: string, body: unknown) =>
  client.publishAsync(topic, typeof body === 'string' ? body : JSON.stringify(body), { qos: 1 })
const stored = (device: TestDevice) =>
  pipeline.rows<{ temperature_centi: number }>(
    'select temperature_centi from readings where (company_id, device_id) = ($1, $2) order by measured_at',
    [device.companyId, device.id],
  )
// MQTT 3.1.1 by hand, for what no client does.
const text = (words: string) =>
  Buffer.concat([Buffer.from([words.length >> 8, words.length & 255]), Buffer.from(words)])
function packet(kind: number, parts: Buffer[]) {
  const body = Buffer.concat(parts)
  const length = [body.length & 127, (body.length >> 7) & 127, body.length >> 14]
  return Buffer.concat([Buffer.from([kind, length[0]! | 128, length[1]! | 128, length[2]!]), body])
}

/** The bytes of this process's buffers, without those that nobody needs any more. */
async function bytesInBuffers() {
  setFlagsFromString('--expose-gc')
  for (let round = 0; round < 4; round++) {
    runInNewContext('gc')()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().arrayBuffers
}
const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()))

/** Keeps every lane from inserting until released; resolves once `count` of them stand before the lock. */
async function holdThePipeline() {
  const client = await pipeline.pool.connect()
  await client.query('begin; set local role none; lock table readings in exclusive mode')
  const waiting = async () =>
    (
      await client.query(`select 1 from pg_locks where relation = 'readings'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    ).rows.length
  let released = false
  const release = async () => {
    if (released) return
    released = true
    await client.query('commit')
    client.release()
  }
  onTestFinished(release)
  return {
    release,
    waitFor: (count: number) => vi.waitUntil(async () => (await waiting()) >= count, { timeout: 30_000 }),
  }
}

describe('a connection', () => {
  test('needs the IMEI and its secret', async () => {
    const device = await pipeline.device()
    for (const [username, password] of [
      [device.imei, 'wrong'],
      ['350000000000001', device.secret],
      [undefined, undefined],
      [device.imei, undefined],
    ])
      await expect(
        mqtt.connectAsync(pipeline.mqttUrl, { username, password, reconnectPeriod: 0, connectTimeout: 5000 }),
      ).rejects.toThrow(/Not authorized|Bad username/i)
  })

  test('of another device with the same client id is left alone', async () => {
    const [one, two] = [await pipeline.device(), await pipeline.device()]
    const first = await pipeline.connect(one, { clientId: 'tracker' })
    const second = await pipeline.connect(two, { clientId: 'tracker' })
    await publish(first, readingsTopic(one), { temperatureC: 1 })
    await publish(second, readingsTopic(two), { temperatureC: 2 })
    expect(await stored(one)).toEqual([{ temperature_centi: 100 }])
    expect(await stored(two)).toEqual([{ temperature_centi: 200 }])
  })

  test('of the same device with the same client id takes over', async () => {
    const device = await pipeline.device()
    const first = await pipeline.connect(device, { clientId: 'tracker' })
    const gone = closed(first)
    const second = await pipeline.connect(device, { clientId: 'tracker' })
    await gone
    await publish(second, readingsTopic(device), { temperatureC: 2 })
  })

  test('opened by a secret that was changed since is cut; the new one opens it again', async () => {
    const device = await pipeline.device()
    const [client, other] = [await pipeline.connect(device), await pipeline.connect(await pipeline.device())]
    const gone = closed(client)
    const secret = await asLogin(pipeline.pool, ({ tx }) => changeSecret(tx, device.imei))
    await gone
    const again = await pipeline.connect({ ...device, secret })
    await publish(again, readingsTopic(device), { temperatureC: 2 })
    expect(other.connected).toBe(true)
  })

  test('ends where the server leaves the others, each at its own moment, and is taken in again until the server stops', async () => {
    const devices = [await pipeline.device(), await pipeline.device(), await pipeline.device()]
    const clients = await Promise.all(devices.map((device) => pipeline.connect(device)))
    const gone = Promise.all(clients.map(closed))
    pipeline.closeSpread(20)
    await gone
    const again = await pipeline.connect(devices[0]!)
    await publish(again, readingsTopic(devices[0]!), { temperatureC: 2 })
    expect(await stored(devices[0]!)).toEqual([{ temperature_centi: 200 }])
  })

  test('is not let in while its tracker connects over and over; other trackers are', async () => {
    const [device, other] = [await pipeline.device(), await pipeline.device()]
    for (let n = 0; n < 30; n++) await (await pipeline.connect(device)).endAsync(true)
    const again = mqtt.connect(pipeline.mqttUrl, { username: device.imei, password: device.secret, reconnectPeriod: 0 })
    let wasLetIn = false
    again.on('connect', () => {
      wasLetIn = true
    })
    const gone = closed(again)
    expect((await pipeline.connect(other)).connected).toBe(true)
    await gone
    expect(wasLetIn).toBe(false)
  })

  test('is the oldest of a tracker’s that is cut when it opens a sixth', async () => {
    const device = await pipeline.device()
    const first = await pipeline.connect(device)
    const gone = closed(first)
    const others: MqttClient[] = []
    for (let count = 0; count < 5; count++) others.push(await pipeline.connect(device))
    await gone
    for (const [index, client] of others.entries())
      await publish(client, readingsTopic(device), { temperatureC: 2, at: `2026-11-20T11:0${index}:00Z` })
    expect(await stored(device)).toHaveLength(5)
  })

  test('is remembered no longer than it lasts: a broker with ever new sessions of one device would fill its memory', async () => {
    const device = await pipeline.device()
    const sessions: boolean[] = []
    for (let visit = 0; visit < 2; visit++) {
      const client = mqtt.connect(pipeline.mqttUrl, {
        ...{ username: device.imei, password: device.secret },
        ...{ clean: false, clientId: 'tracker', reconnectPeriod: 0 },
      })
      const connack = new Promise<boolean>((resolve) =>
        client.once('connect', ({ sessionPresent }) => resolve(sessionPresent)),
      )
      sessions.push(await connack)
      await client.subscribeAsync(`devices/${device.imei}/commands`, { qos: 1 })
      await client.endAsync()
    }
    expect(sessions).toEqual([false, false])
  })

  test('that announces more than 1 MB is cut', async () => {
    const device = await pipeline.device()
    const client = await pipeline.connect(device)
    const gone = closed(client)
    client.publish(readingsTopic(device), Buffer.alloc(1_100_000, 'x'), { qos: 1 }, () => {})
    await gone
    expect(await stored(device)).toEqual([])
  })
})

describe('publishing', () => {
  test('is acknowledged only after the commit', async () => {
    const device = await pipeline.device()
    const client = await pipeline.connect(device)
    const hold = await holdThePipeline()
    let acknowledged = false
    const sent = publish(client, readingsTopic(device), { temperatureC: 4 }).then(() => {
      acknowledged = true
    })
    await hold.waitFor(1)
    expect(acknowledged).toBe(false)
    expect(await stored(device)).toEqual([])
    await hold.release()
    await sent
    expect(await stored(device)).toEqual([{ temperature_centi: 400 }])
  })

  test('keeps the order of a device, however fast it sends', async () => {
    const device = await pipeline.device()
    const client = await pipeline.connect(device)
    const count = 200
    await Promise.all(
      Array.from({ length: count }, (_, index) => publish(client, readingsTopic(device), { temperatureC: index / 10 })),
    )
    expect((await stored(device)).map((row) => row.temperature_centi)).toEqual(
      Array.from({ length: count }, (_, index) => index * 10),
    )
  })

  test('takes many readings in one message, and SenML', async () => {
    const device = await pipeline.device()
    const client = await pipeline.connect(device)
    const at = Date.parse('2026-11-20T11:00:00Z') / 1000
    await publish(client, readingsTopic(device), {
      readings: [
        { at, temperatureC: 1 },
        { at: at + 60, temperatureC: 2 },
      ],
    })
    await publish(client, readingsTopic(device), [
      { bn: 'urn:dev:imei:x:', bt: at + 120, n: 'temperature', u: 'Cel', v: 3 },
    ])
    expect((await stored(device)).map((row) => row.temperature_centi)).toEqual([100, 200, 300])
  })

  test('what makes no sense is acknowledged and kept', async () => {
    const device = await pipeline.device()
    const client = await pipeline.connect(device)
    await publish(client, readingsTopic(device), 'temperature=4')
    await publish(client, readingsTopic(device), '')
    await publish(client, readingsTopic(device), [{ n: 'temperature', u: 'valueOf', v: 4 }])
    await publish(client, readingsTopic(device), { temperatureC: 4 })
    expect(await stored(device)).toEqual([{ temperature_centi: 400 }])
    expect(
      await pipeline.rows('select code, protocol from ingest_rejected where imei = $1 order by code desc', [
        device.imei,
      ]),
    ).toEqual([
      { code: 'MALFORMED', protocol: 'mqtt' },
      { code: 'MALFORMED', protocol: 'mqtt' },
      { code: 'INVALID', protocol: 'mqtt' },
    ])
  })

  test.each([
    'readings',
    'devices/OTHER/readings',
    'devices/IMEI/commands',
    'devices/IMEI',
    '$SYS/x',
    'devices/IMEI/readings/x',
  ])('to %s is refused: the connection is cut and nothing is kept', async (pattern) => {
    const [device, other] = [await pipeline.device(), await pipeline.device()]
    const client = await pipeline.connect(device)
    const gone = closed(client)
    const topic = pattern.replace('IMEI', device.imei).replace('OTHER', other.imei)
    client.publish(topic, JSON.stringify({ temperatureC: 4 }), { qos: 1 }, () => {})
    await gone
    expect(await stored(device)).toEqual([])
    expect(await stored(other)).toEqual([])
  })

  test('a will on any other topic is not published either', async () => {
    const [device, other] = [await pipeline.device(), await pipeline.device()]
    const listener = await pipeline.connect(other)
    await listener.subscribeAsync(`devices/${other.imei}/commands`)
    const heard: string[] = []
    listener.on('message', (topic) => heard.push(topic))
    const will = { topic: `devices/${other.imei}/commands`, payload: Buffer.from('{}'), qos: 1 as const, retain: true }
    const client = await pipeline.connect(device, { will })
    const gone = closed(client)
    client.stream.destroy()
    await gone
    await publish(listener, readingsTopic(other), { temperatureC: 1 })
    expect(heard).toEqual([])
  })

  test('at QoS 2 is stored once, and the broker keeps none of it for a device that never releases it', async () => {
    const device = await pipeline.device()
    const payload = Buffer.from(
      JSON.stringify({ at: '2026-11-20T11:30:00Z', temperatureC: 4, note: 'x'.repeat(8_000) }),
    )
    const long = Buffer.concat([Buffer.alloc(900_000, ' '), payload])
    const socket = connectTcp(Number(new URL(pipeline.mqttUrl).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let received = 0
    socket.on('data', (chunk) => {
      // A CONNACK and PUBRECs, each of four bytes.
      for (let at = 0; at < chunk.length; at += 4) if (chunk[at] === 0x50) received += 1
    })
    socket.write(
      packet(0x10, [
        text('MQTT'),
        Buffer.from([4, 0xc2, 0, 0]),
        ...[text('x'), text(device.imei), text(device.secret)],
      ]),
    )
    const send = async (from: number, to: number) => {
      for (let id = from; id < to; id++) {
        socket.write(packet(0x34, [text(readingsTopic(device)), Buffer.from([id >> 8, id & 255]), long]))
        await vi.waitUntil(() => received >= id, { timeout: 30_000, interval: 1 })
      }
    }
    await send(1, 5)
    const before = await bytesInBuffers()
    await send(5, 85)
    expect((await bytesInBuffers()) - before).toBeLessThan(30 * 900_000)
    expect(await stored(device)).toEqual([{ temperature_centi: 400 }])
  })

  test('what was not acknowledged is sent again after a reconnect, and stored once', async () => {
    const device = await pipeline.device()
    const client = await pipeline.connect(device, { reconnectPeriod: 10, clean: false, clientId: 'tracker' })
    const hold = await holdThePipeline()
    const sent = publish(client, readingsTopic(device), { at: '2026-11-20T11:30:00Z', temperatureC: 4 })
    await hold.waitFor(1)
    client.stream.destroy()
    await vi.waitUntil(() => pipeline.pipeline.gate.waiting === 2, { timeout: 30_000 })
    await hold.release()
    await sent
    expect(await stored(device)).toEqual([{ temperature_centi: 400 }])
  })
})

describe('when more waits than may', () => {
  test('a long message takes as much room as its length, whatever is in it', async () => {
    const [device, other] = [await pipeline.device(), await pipeline.device()]
    for (const body of ['x'.repeat(9_000), JSON.stringify({ readings: Array(9).fill(1) })]) {
      const hold = await holdThePipeline()
      const first = pipeline.post(other, { temperatureC: 4 })
      await hold.waitFor(1)
      const long = pipeline.post(device, body)
      await vi.waitUntil(() => pipeline.pipeline.gate.waiting >= 10, { timeout: 30_000 })
      expect((await pipeline.post(device, { temperatureC: 5 })).status).toBe(503)
      await hold.release()
      expect([(await first).status, (await long).status]).toEqual([200, 200])
    }
  })

  test('HTTP is told to come again, MQTT waits for its acknowledgement, and nothing is lost', async () => {
    const devices = await Promise.all(Array.from({ length: 12 }, () => pipeline.device()))
    const clients = await Promise.all(devices.map((device) => pipeline.connect(device)))
    const hold = await holdThePipeline()
    const acks = clients.map((client, index) =>
      publish(client, readingsTopic(devices[index] as TestDevice), { temperatureC: 4 }),
    )
    await vi.waitUntil(() => pipeline.pipeline.gate.waiting >= 8, { timeout: 30_000 })
    expect(pipeline.pipeline.gate.waiting).toBe(8)
    const refused = await pipeline.post(devices[0] as TestDevice, { temperatureC: 5 })
    expect(refused).toMatchObject({ status: 503, answer: { code: 'BUSY' } })
    expect(['1', '2', '3', '4', '5']).toContain(String(refused.headers['retry-after']))
    await hold.release()
    await Promise.all(acks)
    for (const device of devices) expect(await stored(device)).toEqual([{ temperature_centi: 400 }])
    expect(pipeline.pipeline.gate.waiting).toBe(0)
  })
})

describe('commands', () => {
  const insertCommand = (device: TestDevice, kind: string, value: unknown) =>
    pipeline.change(
      device.companyId,
      'insert into device_commands (company_id, device_id, kind, value) values ($1, $2, $3, $4)',
      [device.companyId, device.id, kind, JSON.stringify(value)],
    )

  /** The next message on the device's commands topic. */
  const nextCommands = (client: MqttClient) =>
    new Promise<{ retain: boolean; commands: { commandId: string; kind: string }[] }>((resolve) =>
      client.once('message', (_, payload, packet) =>
        resolve({ retain: packet.retain, commands: JSON.parse(String(payload)).commands }),
      ),
    )

  test('wait, retained, for a device that was away, reach one that is there at once, and end with its answer', async () => {
    const device = await pipeline.device()
    await insertCommand(device, 'power', { state: 'off' })
    const sent = ({ id }: TestDevice) =>
      pipeline.rows('select from device_commands where device_id = $1 and sent_at is not null', [id])
    // The broker hears of a command a moment after its commit: by the time it told another device, it knows of this one's, too.
    const other = await pipeline.device()
    await pipeline.connect(other)
    await insertCommand(other, 'power', { state: 'off' })
    await expect.poll(() => sent(other)).toHaveLength(1)
    expect(await sent(device)).toEqual([])
    const client = await pipeline.connect(device)
    await expect.poll(() => sent(device)).toHaveLength(1)
    const first = nextCommands(client)
    await client.subscribeAsync(`devices/${device.imei}/commands`, { qos: 1 })
    expect(await first).toMatchObject({ retain: true, commands: [{ kind: 'power' }] })
    const second = nextCommands(client)
    await insertCommand(device, 'interval', { intervalS: 600 })
    const { commands } = await second
    expect(commands.map(({ kind }) => kind)).toEqual(['power', 'interval'])
    const third = nextCommands(client)
    const answers = commands.map(({ commandId }) => ({ commandId, at: '2026-11-20T11:59:00Z', ok: true }))
    await publish(client, `devices/${device.imei}/acks`, answers)
    expect((await third).commands).toEqual([])
    expect(await pipeline.rows('select power, interval_s from devices where id = $1', [device.id])).toEqual([
      { power: 'off', interval_s: 600 },
    ])
  })

  test.each(['devices/OTHER/commands', '#', 'devices/+/commands', 'devices/#', 'devices/IMEI/readings', '$SYS/#'])(
    'of others cannot be listened to: %s',
    async (pattern) => {
      const [device, other] = [await pipeline.device(), await pipeline.device()]
      const client = await pipeline.connect(device)
      const topic = pattern.replace('IMEI', device.imei).replace('OTHER', other.imei)
      const granted = await client.subscribeAsync(topic, { qos: 1 }).catch((error: Error) => error.message)
      expect(JSON.stringify(granted)).toMatch(/128|Unspecified error/)
    },
  )
})

test('a connection that says nothing is cut after seconds (L23)', async () => {
  const began = performance.now()
  const socket = connectTcp({ port: Number(new URL(pipeline.mqttUrl).port), host: '127.0.0.1' })
  await once(socket, 'close')
  expect(performance.now() - began).toBeLessThan(25_000)
})
