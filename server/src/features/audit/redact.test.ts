import { expect, test } from 'vitest'
import type { AuditRow } from './queries.ts'
import { redact, type Sight } from './redact.ts'

// Device 7, that was called Vault, and group 3 do not exist for the Manager who reads.
const sight: Sight = {
  unseen: { devices: new Set(['7']), deviceNames: new Set(['Vault', 'Vault 2']), groups: new Set(['3']) },
  origins: '5',
  webhook: (address) => new URL(address).host,
}
const entry = (after: object, actor: object = { kind: 'user', id: '6', name: 'Ada' }) =>
  ({ before: null, after, actor, origin: { address: '198.51.100.1', agent: 'Firefox' } }) as AuditRow
const shown = (after: object) => redact(entry(after), sight).after

test.each([
  ['ids in a record', { devices: ['4', '7'] }, { devices: ['4'] }],
  ['names of an old entry', { devices: ['Fridge', 'Vault'] }, { devices: ['Fridge'] }],
  [
    'objects, whose number is told without them',
    { devices: [{ id: '4' }, { id: '7', name: 'Vault' }], deviceCount: 9, groups: [{ id: '3' }, { id: '2' }] },
    { devices: [{ id: '4' }], deviceCount: 8, groups: [{ id: '2' }] },
  ],
])('an entry tells nothing of private devices: %s (M2, L10)', (_what, after, expected) => {
  expect(shown(after)).toEqual(expected)
})

test.each([
  ['by its id, whatever it is called', { device: 'Another', deviceId: '7' }, { device: null }],
  ['by a name it had, where there is no id', { device: 'Vault', group: 'Mixed' }, { device: null, group: 'Mixed' }],
  ['but not one of its name with an id of its own', { device: 'Vault', deviceId: '4' }, undefined],
])('a device that an entry is about is left out %s (L10)', (_how, after, expected) => {
  expect(shown(after)).toEqual(expected ?? after)
})

test('from where others worked is left out, one’s own is not (L11)', () => {
  expect(redact(entry({}), sight).origin).toEqual({})
  const own = entry({}, { kind: 'user', id: '5', name: 'Ben' })
  expect(redact(own, sight).origin).toEqual(own.origin)
  expect(redact(entry({}), { ...sight, origins: null }).origin).toEqual(own.origin)
})

test('a webhook among recipients is told by its host (L9)', () => {
  const recipients = [{ address: 'https://hooks.example.test/SECRET' }, 'https://hooks.example.test/SECRET', 'a@b.test']
  expect(JSON.stringify(shown({ recipients }))).not.toContain('SECRET')
})
