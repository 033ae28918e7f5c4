import { setTimeout as sleep } from 'node:timers/promises'
import { acknowledgedBy, held, lanesOf, type Scene, until } from './scene.ts'

const steadyMs = 4_000
const awayMs = 3_000
/** So long after its end, answers to what it committed may still be on their way. */
const answersMs = 1_000
const maxBackMs = 10_000

/**
 * PostgreSQL is stopped as an operator stops it and is away for a while, then it is killed and its supervisor starts it again, in turns. While it
 * is away nothing may be acknowledged, and who is refused hears 503 (a node may also keep a message waiting until the database is back); once it
 * is back, all lanes soon are.
 */
export async function databaseRestarts(scene: Scene): Promise<void> {
  const { databasePid, isOver, notes, faults, devices } = scene
  const lanes = await lanesOf(scene)
  const began = performance.now()
  let [stops, kills, longestMs] = [0, 0, 0]
  while (stops + kills < 2 || !isOver()) {
    await sleep(steadyMs)
    let from = 0
    if (stops === kills) {
      await beAway(scene)
      from = performance.now()
      stops++
    } else {
      process.kill(databasePid(), 'SIGKILL')
      from = performance.now()
      kills++
      await until(async () => (await held(scene).catch(() => 0)) < lanes, 30)
    }
    await until(async () => (await held(scene)) === lanes, 60)
    longestMs = Math.max(longestMs, performance.now() - from)
  }
  if (longestMs > maxBackMs) faults.push(`all lanes were back ${Math.round(longestMs)} ms after PostgreSQL`)
  const refusals = devices.flatMap(({ trouble }) => trouble.refusals).filter(({ to }) => to > began)
  const strange = refusals.filter(({ reason }) => /^\d/.test(reason) && !reason.startsWith('503 '))
  if (strange.length > 0) faults.push(`${strange.length} were refused otherwise than with 503: ${strange[0]?.reason}`)
  Object.assign(notes, { stops, kills, 'lanes back after, ms': Math.round(longestMs) })
}

async function beAway({ restartDatabase, devices, faults, notes }: Scene) {
  await restartDatabase(async () => {
    await sleep(answersMs)
    const before = acknowledgedBy(devices)
    await sleep(awayMs - answersMs)
    const more = acknowledgedBy(devices) - before
    notes['acknowledged while PostgreSQL was away'] = more
    if (more > 0) faults.push(`${more} readings were acknowledged while PostgreSQL was away`)
  })
}
