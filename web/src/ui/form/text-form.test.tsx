// @vitest-environment page
import { useRouter } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, show, type } from '../../test/show.tsx'
import { TextForm } from './text-form.tsx'

beforeEach(() => logInAs('admin'))
afterEach(leave)

function Probe() {
  const router = useRouter()
  return (
    <>
      <TextForm label="Comment" description="" action="Send" maxLength={100} tab="trigger" send={async () => {}} />
      <button type="button" onClick={() => router.history.push('/?trigger=2')}>
        Next trigger
      </button>
      <button type="button" onClick={() => router.history.push('/?trigger=1&page=2')}>
        Next page
      </button>
    </>
  )
}

test('half a text is not lost by going to another thing without a question', async () => {
  const { address } = await show(<Probe />, { path: '/?trigger=1' })
  type(await field('Comment'), 'The door was', { leave: false })
  await press('Next page')
  await eventually(() => expect(address()).toBe('/?trigger=1&page=2'))
  await press('Next trigger')
  await find('[role=dialog]', 'Leave without saving?')
  expect(address()).toBe('/?trigger=1&page=2')
  await press('Stay here')
  await eventually(() => expect(isShown('Leave without saving?')).toBe(false))
  expect((await field('Comment')).value).toBe('The door was')
})

test('a text that was sent asks nothing', async () => {
  const { address } = await show(<Probe />, { path: '/?trigger=1' })
  type(await field('Comment'), 'The door was open', { leave: false })
  await eventually(async () => expect(((await find('button', 'Send')) as HTMLButtonElement).disabled).toBe(false))
  await press('Send')
  await eventually(async () => expect((await field('Comment')).value).toBe(''))
  await press('Next trigger')
  await eventually(() => expect(address()).toBe('/?trigger=2'))
})
