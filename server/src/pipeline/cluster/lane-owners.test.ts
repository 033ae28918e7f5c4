import { expect, test } from 'vitest'
import { laneOwners } from './lane-owners.ts'

const node = (id: string, more: Partial<Parameters<typeof laneOwners>[1][number]> = {}) => ({
  ...{ id, is_alive: true, is_settled: true, is_draining: false },
  ...more,
})
const countOf = (owners: readonly (string | null)[], id: string) => owners.filter((owner) => owner === id).length

test('nodes share the lanes evenly, whatever the order of their list', () => {
  const nodes = ['a', 'b', 'c'].map((id) => node(id))
  const owners = laneOwners(16, nodes)
  expect(laneOwners(16, nodes.toReversed())).toEqual(owners)
  for (const { id } of nodes) expect([4, 5, 6]).toContain(countOf(owners, id))
})

test('where a node leaves, most lanes of the others stay where they are', () => {
  const before = laneOwners(
    64,
    ['a', 'b', 'c', 'd'].map((id) => node(id)),
  )
  const after = laneOwners(
    64,
    ['a', 'b', 'c'].map((id) => node(id)),
  )
  const moved = before.filter((owner, lane) => owner !== 'd' && owner !== after[lane]).length
  expect(after).not.toContain('d')
  expect(moved).toBeLessThan(16)
})

test('a node that is dead, stops or started just now gets no lane', () => {
  const nodes = [
    node('a'),
    node('dead', { is_alive: false }),
    node('new', { is_settled: false }),
    node('stops', { is_draining: true }),
  ]
  expect(new Set(laneOwners(8, nodes))).toEqual(new Set(['a']))
})

test('where no node has run for some seconds, those that are there share the lanes; where all stop, they go on', () => {
  expect(new Set(laneOwners(8, [node('a', { is_settled: false }), node('b', { is_settled: false })]))).toEqual(
    new Set(['a', 'b']),
  )
  expect(laneOwners(2, [node('a', { is_draining: true })])).toEqual(['a', 'a'])
  expect(laneOwners(2, [node('a', { is_alive: false })])).toEqual([null, null])
})

test('with one lane, and with more nodes than lanes, each lane has an owner and no node has two that another one lacks', () => {
  for (const lanes of [1, 2, 3, 5])
    for (let count = 1; count <= 7; count++) {
      const nodes = Array.from({ length: count }, (_, index) => node(`n${index}`))
      const owners = laneOwners(lanes, nodes)
      const counts = nodes.map(({ id }) => countOf(owners, id))
      expect(owners).not.toContain(null)
      expect(Math.max(...counts)).toBe(Math.ceil(lanes / count))
    }
})

test('a node that joins while another one stops gets lanes once it has run for some seconds, and the others have those of the one that stops meanwhile', () => {
  const stops = node('stops', { is_draining: true })
  const meanwhile = laneOwners(6, [node('a'), node('b'), stops, node('new', { is_settled: false })])
  expect(new Set(meanwhile)).toEqual(new Set(['a', 'b']))
  const settled = laneOwners(6, [node('a'), node('b'), stops, node('new')])
  expect(['a', 'b', 'new'].map((id) => countOf(settled, id))).toEqual([2, 2, 2])
  // Two nodes, of which one is upgraded by another one.
  expect(new Set(laneOwners(6, [stops, node('new', { is_settled: false })]))).toEqual(new Set(['new']))
})
