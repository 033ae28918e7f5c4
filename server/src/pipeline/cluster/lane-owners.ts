import { createHash } from 'node:crypto'

interface Candidate {
  id: string
  is_alive: boolean
  is_settled: boolean
  is_draining: boolean
}

/**
 * The node that has to hold each lane, by the lane's number; null where no node lives. Nodes that live, have run for some seconds and do not
 * stop share them; where none is so, those that are left do.
 */
export function laneOwners(lanes: number, nodes: readonly Candidate[]): (string | null)[] {
  const alive = nodes.filter((node) => node.is_alive)
  const staying = alive.filter((node) => !node.is_draining)
  const settled = staying.filter((node) => node.is_settled)
  const [some = []] = [settled, staying, alive].filter((list) => list.length > 0)
  return shareOut(
    lanes,
    some.map(({ id }) => id),
  )
}

/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998) with a ceiling: each pair of node and lane has a score, the best pairs are taken first, and
 * no node has more than its even share. All nodes that see the same list find the same owners, and few lanes move when one comes or goes.
 */
function shareOut(lanes: number, ids: readonly string[]): (string | null)[] {
  const owners: (string | null)[] = Array.from({ length: lanes }, () => null)
  const room = new Map(ids.map((id) => [id, Math.ceil(lanes / ids.length)]))
  const pairs = ids.flatMap((id) => owners.map((_, lane) => ({ id, lane, score: scoreOf(id, lane) })))
  pairs.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  for (const { id, lane } of pairs) {
    const left = room.get(id) ?? 0
    if (owners[lane] !== null || left === 0) continue
    owners[lane] = id
    room.set(id, left - 1)
  }
  return owners
}

const scoreOf = (id: string, lane: number) => createHash('sha1').update(`${id}/${lane}`).digest().readUIntBE(0, 6)
