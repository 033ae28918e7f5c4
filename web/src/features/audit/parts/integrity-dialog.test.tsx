// @vitest-environment page
import { audit } from '@isotherm/contract/audit.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, find, isShown, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { IntegrityDialog } from './integrity-dialog.tsx'

afterEach(leave)
logInAs('admin')

test('an address of the webhook that was typed and not saved is asked about before the dialog closes', async () => {
  const settings = { webhookUrl: null, lastSentAt: null, lastSentSeq: null, lastFailure: null }
  serve(({ path }) =>
    path === audit.settings.path ? { payload: settings } : { status: 503, code: 'NOT_READY', message: 'Not ready.' },
  )
  const onClose = vi.fn()
  await show(<IntegrityDialog onClose={onClose} />, { texts: ['audit'] })
  const close = async () => ((await find('button[aria-label=Close]', '')) as HTMLButtonElement).click()
  type((await find('input[type=url]')) as HTMLInputElement, 'https://archive.example', { leave: false })
  await close()
  await find('[role=dialog]', 'Leave without saving?')
  expect(onClose).not.toHaveBeenCalled()
  await press('Leave')
  await eventually(() => expect(onClose).toHaveBeenCalledOnce())
  expect(isShown('Leave without saving?')).toBe(false)
})
