import { setTimeout as sleep } from 'node:timers/promises'
import { writeAudit } from '../../server/src/platform/audit/audit.ts'
import { verifyChain } from '../../server/src/platform/audit/verify-chain.ts'
import { signingKeys } from '../../server/src/platform/config/signing-keys.ts'
import { asPipeline, inTenant } from '../../server/src/platform/db/transaction.ts'
import { type KillDevice, maxUnderWay } from '../kill/device.ts'
import { verify } from '../kill/verify.ts'
import { ended } from '../pipeline/stage.ts'
import { count, poolOf, type Scene } from './scene.ts'

const beforeMs = 5_000
const afterMs = 3_000
/** A node dies so long before the instant: its lanes are held by nobody just then. */
const diesBeforeMs = 1_500
/** A drill takes less than so many restores. */
const maxRestores = 2
const noteEveryMs = 200

/**
 * Under load a node dies, an instant goes by, and a while later all nodes die. Restored to that instant, all that was acknowledged before is
 * there, with what is derived from it and an unbroken trail, and nothing that was acknowledged later; then the nodes go on with what was restored.
 * A drill of the same backup must prove it, in less than twice the time.
 */
export async function restoreUnderLoad(scene: Scene): Promise<void> {
  const { backedUp, cluster, devices, notes, faults } = scene
  if (!backedUp) throw new Error('there is no backup')
  const trail = await noteAll(scene)
  await sleep(beforeMs - diesBeforeMs)
  await ended(cluster.node(0), 'SIGKILL')
  await sleep(diesBeforeMs)
  const known = devices.map((one) => ({ ...one, acknowledged: new Map(one.acknowledged) }))
  const noted = trail.noted()
  // The database and this process have one clock, and instants are whole milliseconds.
  await sleep(2)
  const instant = new Date()
  await sleep(afterMs)
  for (let index = 0; index < count; index++) await ended(cluster.node(index), 'SIGKILL')
  await trail.stop()
  const restoreMs = await backedUp.restore(instant)
  await judgeDrill(scene, restoreMs, instant)
  const found = await verify(backedUp, known)
  const amiss = found.missing + found.wrong + found.differences + found.triggerDifferences
  if (amiss > 0) faults.push(`as it was restored: ${JSON.stringify(found)}`)
  const isEarly = found.stored - found.acknowledged > maxUnderWay(devices)
  if (isEarly) faults.push(`${found.stored} readings were restored, of ${found.acknowledged} that were acknowledged`)
  notes['acknowledged before it'] = found.acknowledged
  notes['acknowledged later, and gone'] = forget(devices, known)
  const entries = await judgeTrails(scene)
  // One entry may be under way.
  if (entries < noted || entries > noted + 1) faults.push(`${entries} entries of trails were restored, of ${noted}`)
  notes['entries of the trail'] = entries
  for (let index = 0; index < count; index++) await cluster.restart(index)
}

async function judgeDrill({ backedUp, notes, faults }: Scene, restoreMs: number, instant: Date) {
  const drillMs = (await backedUp?.drill(instant)) ?? 0
  const restores = drillMs / restoreMs
  if (restores >= maxRestores) faults.push(`a drill took ${restores.toFixed(2)} times the restore`)
  const s = (ms: number) => (ms / 1_000).toFixed(1)
  Object.assign(notes, { 'restore, s': s(restoreMs), 'drill, s': s(drillMs), 'drill in restores': restores.toFixed(2) })
}

/** Forgets what was acknowledged after the instant; how much that is. Devices do not send it again. */
function forget(devices: readonly KillDevice[], known: readonly KillDevice[]): number {
  let gone = 0
  for (const [index, { acknowledged }] of devices.entries())
    for (const at of acknowledged.keys())
      if (!known[index]?.acknowledged.has(at)) {
        acknowledged.delete(at)
        gone++
      }
  return gone
}

const companiesOf = ({ devices }: Scene) => [...new Set(devices.map(({ device }) => device.companyId))]

/** Adds to the trails of the companies in turns, until stopped. */
async function noteAll(scene: Scene) {
  const pool = await poolOf(scene)
  const companies = companiesOf(scene)
  let [noted, isOver] = [0, false]
  const running = (async () => {
    for (; !isOver; noted++) {
      const companyId = companies[noted % companies.length] ?? 0
      const about = {
        actor: { kind: 'system', name: 'bench' },
        origin: { address: '', agent: '', requestId: '' },
      } as const
      const entry = { action: 'company.changed', after: { number: noted } }
      await inTenant(pool, companyId, ({ tx }) => writeAudit(tx, companyId, { ...about, at: new Date() }, [entry]))
      await sleep(noteEveryMs)
    }
  })()
  return {
    noted: () => noted,
    async stop() {
      isOver = true
      await running
      await pool.end()
    },
  }
}

/** Verifies the trail of each company; how many entries they have. */
async function judgeTrails(scene: Scene): Promise<number> {
  const pool = await poolOf(scene)
  const { known } = await signingKeys(scene.cluster.folder)
  let entries = 0
  try {
    for (const companyId of companiesOf(scene)) {
      const state = await asPipeline(pool, ({ tx }) => verifyChain(tx, companyId, { known }))
      if (state.fault) scene.faults.push(`the trail of company ${companyId} is broken: ${state.fault.kind}`)
      entries += state.entries
    }
  } finally {
    await pool.end()
  }
  return entries
}
