// @vitest-environment happy-dom
import { TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, show, type } from '../../test/show.tsx'
import { EntityForm } from './entity-form.tsx'
import { useEntityForm } from './use-entity-form.ts'

const arrival = vi.hoisted(() => ({ fails: false }))
// A slow line: whatever of a form is loaded after it comes so late.
vi.mock('./leave-guard.tsx', async (original) => {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return original()
})
vi.mock('./leave-dialog.tsx', async (original) => {
  const { LeaveDialog } = await original<typeof import('./leave-dialog.tsx')>()
  return {
    get LeaveDialog() {
      if (arrival.fails) throw new Error('the line is lost')
      return LeaveDialog
    },
  }
})

function Probe() {
  const router = useRouter()
  const form = useEntityForm({
    initialValues: { name: '' },
    required: [],
    toBody: (values) => values,
    save: async () => {},
  })
  return (
    <EntityForm form={form} submitLabel="Save">
      <TextInput label="Name" {...form.fields.getInputProps('name')} />
      <button type="button" onClick={() => router.history.push('/elsewhere')}>
        Elsewhere
      </button>
    </EntityForm>
  )
}

beforeEach(() => logInAs('admin'))
afterEach(leave)

test('leaving asks at once, however little of the form has arrived', async () => {
  const { address } = await show(<Probe />)
  type(await field('Name'), 'Depot', { leave: false })
  await press('Elsewhere')
  await find('[role=dialog]', 'Leave without saving?')
  expect(address()).toBe('/')
  await press('Stay here')
  await eventually(() => expect(isShown('Leave without saving?')).toBe(false))
  expect([address(), (await field('Name')).value]).toEqual(['/', 'Depot'])
  await press('Elsewhere')
  await press('Leave')
  await eventually(() => expect(address()).toBe('/elsewhere'))
})

test('leaving asks nothing where nothing was typed', async () => {
  const { address } = await show(<Probe />)
  await field('Name')
  await press('Elsewhere')
  await eventually(() => expect(address()).toBe('/elsewhere'))
})
