import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, Tools } from './attack.ts'
import { backTests, bulk, charts, exports, fences, reports, signIns, uploads } from './attacks-calls.ts'
import { ingest, mqtt, reconnects, slow } from './attacks-devices.ts'
import type { AttackName, HostileFigures, HostileScene, Order } from './told.ts'

/* The hostile tenant, in a process of its own: 50 connections, each in a loop without a pause. */

const scene = JSON.parse(process.argv[2] ?? '{}') as HostileScene
const attacks: Record<AttackName, Attack> = {
  reports,
  uploads,
  bulk,
  fences,
  backTests,
  signIns,
  exports,
  charts,
  ingest,
  mqtt,
  slow,
  reconnects,
}
let tools = new Map<string, Tools>()
let cpuBefore = process.cpuUsage()

async function loop(attack: Attack, own: Tools, connection: number) {
  for (let turn = 0; !own.isOver; turn++) {
    const before = own.figures.sent
    await attack.round(own, connection, turn)
    // A round that sent nothing would spin.
    if (own.figures.sent === before) await sleep(100)
  }
}

function begin(names: readonly string[]) {
  cpuBefore = process.cpuUsage()
  tools = new Map()
  for (const name of names) {
    const attack = attacks[name as AttackName]
    if (!attack) throw new Error(`there is no attack ${name}; there are ${Object.keys(attacks).join(' ')}`)
    const own = new Tools(scene, attack.connections)
    tools.set(name, own)
    for (let n = 0; n < attack.connections; n++) void loop(attack, own, n)
  }
}

function end(): HostileFigures {
  for (const own of tools.values()) own.end()
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    attacks: Object.fromEntries([...tools].map(([name, own]) => [name, { ...own.figures }])),
    cpuSeconds: (user + system) / 1e6,
  }
}

process.on('message', (order: Order) => {
  if (order.word === 'begin') begin(order.attacks?.length ? order.attacks : Object.keys(attacks))
  else if (order.word === 'end') process.send?.(end())
  else process.exit()
})
process.send?.('ready')
