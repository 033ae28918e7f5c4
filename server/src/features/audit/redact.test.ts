import { expect, test } from 'vitest'
import type { AuditRow } from './queries.ts'
import { redact, type Sight } from './redact.ts'

const rowOf = (after: AuditRow['after'], actor = '7') =>
  ({
    actor: { kind: 'user', id: actor, name: 'Ada' },
    before: null,
    after,
    origin: { address: '10.0.0.1' },
  }) as AuditRow

const everything: Sight = { unseen: null, origins: null, webhook: (address) => address }
/** Somebody who sees neither device 1, which was called Vault, nor group 5. */
const staff: Sight = {
  unseen: { devices: new Set(['1']), deviceNames: new Set(['Vault']), groups: new Set(['5']) },
  origins: '7',
  webhook: (address) => `${new URL(address).origin}/...`,
}
const shown = (after: AuditRow['after']) => redact(rowOf(after), staff).after

test('who sees everything reads an entry as it was written', () => {
  const row = rowOf({ device: 'Vault', deviceId: '1', groups: [{ id: '5' }] }, '8')
  expect(redact(row, everything)).toEqual(row)
})

test('from where somebody worked is shown to themselves', () => {
  expect(redact(rowOf(null, '7'), staff).origin).toEqual({ address: '10.0.0.1' })
  expect(redact(rowOf(null, '8'), staff).origin).toEqual({})
})

test('a device that is not seen has neither name nor id; any other has both', () => {
  expect(shown({ device: 'Vault', deviceId: '1' })).toEqual({ device: null })
  expect(shown({ device: 'Vault' })).toEqual({ device: null })
  expect(shown({ device: 'Vault', deviceId: '2' })).toEqual({ device: 'Vault', deviceId: '2' })
})

test('lists and their counts leave out what is not seen, however an entry names it', () => {
  const devices = [{ id: '1', name: 'Vault' }, { id: '2', name: 'Van' }, 'Vault', 'Box', '1']
  expect(shown({ devices, deviceCount: 9, groups: [{ id: '5' }, { id: '6' }] })).toEqual({
    devices: [{ id: '2', name: 'Van' }, 'Box'],
    deviceCount: 6,
    groups: [{ id: '6' }],
  })
})

test('webhooks among recipients are shown as the person may see them', () => {
  const url = 'https://hooks.example.test/secret'
  const recipients = [url, { address: url, channels: ['webhook'] }, 'ada@example.test']
  expect(shown({ recipients, website: url })).toEqual({
    recipients: [
      'https://hooks.example.test/...',
      { address: 'https://hooks.example.test/...', channels: ['webhook'] },
      'ada@example.test',
    ],
    website: url,
  })
})
