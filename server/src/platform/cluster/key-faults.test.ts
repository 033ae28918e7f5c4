import { expect, test } from 'vitest'
import { keyFaults } from './key-faults.ts'

const node = (name: string, audit_keys: string[] | null, is_alive = true) => ({ name, audit_keys, is_alive })

test('servers with the same keys, dead ones and those that tell none are no fault', () => {
  expect(keyFaults([])).toEqual([])
  expect(keyFaults([node('a', ['1', '2']), node('b', ['1', '2']), node('c', null), node('d', ['9'], false)])).toEqual(
    [],
  )
})

test('one that missed a new key is named, and one with keys of its own', () => {
  expect(keyFaults([node('a', ['1']), node('b', ['1', '2']), node('c', ['3'])])).toEqual([
    'Node a signs audit trails with a former key: copy DATA_DIR/audit-keys.json of node b to it.',
    'Nodes b and c sign audit trails with different keys: all need one DATA_DIR/audit-keys.json.',
  ])
})
