import { setTimeout as sleep } from 'node:timers/promises'
import { addAlarms } from '../pipeline/alarms.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { poster } from '../pipeline/poster.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { openStage, settled } from '../pipeline/stage.ts'

const bound = { of: 'a round from memory', atMost: 4 }

/**
 * A restart of PostgreSQL empties the memory of the pipeline: every device of a fleet, with 3 alarms each, says something before
 * it and after it. Returns what was not as it should be.
 */
export async function reloadFleet(ports: { http: number; mqtt: number }, devices: number): Promise<string[]> {
  const stage = await openStage(ports)
  try {
    const fleet = await makeFleet(stage.client, 16, devices)
    await addAlarms(stage.client, [...new Set(fleet.map(({ companyId }) => companyId))])
    await stage.startServer()
    await settled(ports.http)
    const post = poster(ports.http, 20)
    const round = async () => {
      const startedAt = performance.now()
      await Promise.all(fleet.map((device) => post(device, 5)))
      return (performance.now() - startedAt) / 1000
    }
    const first = await round()
    const before = await round()
    const stoppedAt = performance.now()
    process.kill(stage.databasePid(), 'SIGINT')
    await sleep(100)
    await databaseIsBack(stage.connect)
    const away = (performance.now() - stoppedAt) / 1000
    const reload = await round()
    const after = await round()
    const seconds = (value: number) => Number(value.toFixed(2))
    console.table({
      devices,
      'first round s': seconds(first),
      'round from memory s': seconds(before),
      'PostgreSQL away s': seconds(away),
      'first round after its restart s': seconds(reload),
      'round from memory after it s': seconds(after),
    })
    const { text, failures } = judgeRatio('reload', reload, Math.min(before, after), bound)
    console.log(`reload: ${text}`)
    return failures
  } finally {
    await stage.stop()
  }
}

async function databaseIsBack(connect: () => Promise<{ end(): Promise<void> }>): Promise<void> {
  for (;;) {
    const client = await connect().catch(() => null)
    if (client) return client.end()
    await sleep(20)
  }
}
