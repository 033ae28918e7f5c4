import { expect, test } from 'vitest'
import { checkActions } from './check-actions.mjs'

const texts = new Map([
  ['audit:users.invited', 'Invited a person'],
  ['audit:screen.features.users', 'Users'],
  ['auditWords:targets.user', 'Person'],
])
const check = (path, source) => checkActions([[path, source]], texts)
const path = 'server/src/features/users/verbs.ts'

test('an act with a sentence, of a feature with a name, is allowed', () => {
  expect(check(path, `ctx.audit({ action: 'users.invited' })`)).toEqual([])
  expect(check(path, `const target = (row) => ({ kind: 'user', id: row.id, name: row.fullname })`)).toEqual([])
  expect(check(path, `handle(ctx, { action: 'acknowledge' }) // action: 'users.gone'`)).toEqual([])
  expect(check('web/src/a.ts', `({ action: 'users.gone' })`)).toEqual([])
})

test('an act without a sentence, and a feature or a kind without a name, are found', () => {
  expect(check(path, `ctx.audit({ action: 'users.gone' })`)).toEqual([
    `${path}: no text audit:users.gone for the audit trail`,
  ])
  expect(check(path, `ctx.audit({ action: 'suppliers.created' })`)).toHaveLength(2)
  expect(check(path, `const target = ({ id }) => ({ kind: 'supplier', id })`)).toEqual([
    `${path}: no text auditWords:targets.supplier for the audit trail`,
  ])
})
