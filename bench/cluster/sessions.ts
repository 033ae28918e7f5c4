import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import { jsonOf, readingOf } from '../pipeline/readings.ts'
import { count, type Scene } from './scene.ts'

const patienceMs = 10_000

/** A tracker that comes to one node after another without saying goodbye: each time the node before must end its old connection. */
export async function moveSessions({ cluster, spare, isOver, notes, faults }: Scene): Promise<void> {
  let before: MqttClient | null = null
  let longest = 0
  let moves = 0
  const firstAt = Math.floor(Date.now() / 1_000) * 1_000 - 86_400_000 * 300
  for (; !isOver(); moves++) {
    const client = await connectAsync(`mqtt://127.0.0.1:${cluster.mqttPort(moves % count)}`, {
      ...{ username: spare.imei, password: spare.secret, clientId: 'one', clean: false },
      ...{ reconnectPeriod: 0, connectTimeout: patienceMs },
    })
    client.on('error', () => {})
    const began = performance.now()
    if (before && !(await isEnded(before))) faults.push('the connection at the former node was not ended')
    longest = Math.max(longest, before ? performance.now() - began : 0)
    await client.publishAsync(`devices/${spare.imei}/readings`, jsonOf(readingOf(9_999, moves, firstAt)), { qos: 1 })
    before = client
    await sleep(200)
  }
  await before?.endAsync(true)
  notes.faults = moves
  notes['old session ended after at most, ms'] = Math.round(longest)
}

function isEnded(client: MqttClient): Promise<boolean> {
  if (!client.connected) return Promise.resolve(true)
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs)
    client.once('close', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
