// @vitest-environment page
import type { RecordDetails } from '@isotherm/contract/records.ts'
import { useRouter } from '@tanstack/react-router'
import { afterEach, expect, test } from 'vitest'
import { field, find, leave, logInAs, press, show, type } from '../../../test/show.tsx'
import { NotesCard } from './notes-card.tsx'

afterEach(leave)

function Probe() {
  const router = useRouter()
  return (
    <>
      <NotesCard record={{ id: '7', notes: [] } as unknown as RecordDetails} mayEdit />
      <button type="button" onClick={() => router.history.push('/elsewhere')}>
        Elsewhere
      </button>
    </>
  )
}

test('half a note is not lost without a question', async () => {
  logInAs('admin')
  const { address } = await show(<Probe />, { texts: ['records'] })
  const note = await field('New note')
  type(note, 'The door was', { leave: false })
  await press('Elsewhere')
  await find('[role=dialog]', 'Leave without saving?')
  expect([address(), note.isConnected, note.value]).toEqual(['/', true, 'The door was'])
})
