import { setTimeout as sleep } from 'node:timers/promises'
import { acknowledgedBy, count, type Scene, until } from './scene.ts'

/** Small, so that it is reached. */
export const waitingBound = 200
/** However full it is, each company may still add a message. */
const maxWaitingReadings = 2 * waitingBound + 21
/** The second is so long that what waits is given up on. */
const cutsMs = [8_000, 25_000]
const saidWithinS = 15
const emptyWithinS = 30
const lookMs = 200

/**
 * The others cannot ask the first node anything for a while, in turns shortly and for longer than a part is tried to be handed on; all of them reach
 * the database, so no lane moves. The others must go on with what is theirs, refuse with 503 what they cannot hand on, say that they do not reach
 * the node, and keep no more readings in memory than they may.
 */
export async function channelCut(scene: Scene): Promise<void> {
  const { relays, devices, cluster, isOver, notes, faults } = scene
  if (!relays) throw new Error('the channel cannot be cut')
  const queues = await watchQueues(scene)
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1)
  const warn = async () =>
    (await Promise.all(others.map((index) => cluster.warningsOf(index)))).filter((each) => each.includes('nodes'))
      .length
  const began = performance.now()
  let cut = 0
  let least = Number.POSITIVE_INFINITY
  try {
    for (; cut < cutsMs.length || !isOver(); cut++) {
      await sleep(3_000)
      const ms = cutsMs[cut % cutsMs.length] ?? 0
      const before = acknowledgedBy(devices)
      relays.channel.silence(true)
      const from = performance.now()
      if (ms > saidWithinS * 1_000)
        await until(async () => (await warn()) === others.length, saidWithinS).catch(() => {
          faults.push(`cut ${cut}: the others did not say that they do not reach a node`)
        })
      await sleep(Math.max(0, ms - (performance.now() - from)))
      least = Math.min(least, acknowledgedBy(devices) - before)
      relays.channel.silence(false)
      await until(async () => (await warn()) === 0 && queues.now() < waitingBound, emptyWithinS).catch(() => {
        faults.push(`cut ${cut}: afterwards ${queues.now()} readings wait, or the nodes still do not reach each other`)
      })
    }
  } finally {
    await queues.stop()
  }
  const refusals = devices.flatMap(({ trouble }) => trouble.refusals).filter(({ to }) => to > began)
  // MQTT has no words for it: its connection is cut.
  const said = refusals.filter(({ reason }) => reason.startsWith('503 '))
  const strange = refusals.filter(({ reason }) => /^\d|no answer/.test(reason) && !reason.startsWith('503 '))
  if (said.length === 0) faults.push('nothing was refused')
  if (strange.length > 0) faults.push(`${strange.length} were refused otherwise than with 503: ${strange[0]?.reason}`)
  if (least === 0) faults.push('nothing was acknowledged while the channel was cut')
  if (queues.most() > maxWaitingReadings) faults.push(`${queues.most()} readings waited, of ${waitingBound} that may`)
  if (queues.most() === 0) faults.push('no node told how many readings wait in it')
  const [most, told] = [queues.most(), said.length]
  Object.assign(notes, { faults: cut, 'acknowledged in a cut, least': least, 'told 503': told, 'most waiting': most })
}

/** Looks how many readings wait in the nodes, as they tell with their signs of life. */
async function watchQueues({ connect }: Scene) {
  const client = await connect()
  let [now, most, isOver] = [0, 0, false]
  const running = (async () => {
    for (; !isOver; await sleep(lookMs)) {
      const { rows } = await client.query<{ waiting: number }>(
        `select coalesce(max(readings_waiting), 0) as waiting from nodes where beat_at > clock_timestamp() - interval '3 s'`,
      )
      now = Number(rows[0]?.waiting)
      most = Math.max(most, now)
    }
  })()
  return {
    now: () => now,
    most: () => most,
    async stop() {
      isOver = true
      await running
      await client.end()
    },
  }
}
