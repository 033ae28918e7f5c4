// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { eventually, field, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
import { ProofDialog } from './proof-dialog.tsx'

afterEach(leave)

test('the field of a proof has the focus, also once somebody turns to another way', async () => {
  logInAs('admin')
  serve(() => ({ payload: { methods: ['code', 'recoveryCode'] } }))
  await show(<ProofDialog by="any" />, { texts: ['security'] })
  const isFocused = (label: string) => eventually(async () => expect(document.activeElement).toBe(await field(label)))
  await isFocused('Code of your authenticator app')
  await press('Use a recovery code')
  await isFocused('Recovery code')
})
