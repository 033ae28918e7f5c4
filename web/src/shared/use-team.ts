import { type User, users } from '@isotherm/contract/users.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCan } from '../lib/can.ts'
import { useCall } from '../lib/query.ts'
import { useSession } from '../lib/session.ts'

export type TeamMember = Pick<User, 'id' | 'fullname' | 'phone'>

/** The team as far as the person may see it, by what they typed; else only themselves. */
export function useTeam() {
  const maySee = useCan('users.view')
  const own = useSession((state) => state.profile)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const all = useCall(users.list, { query: { perPage: 100 } }, { enabled: maySee }).data?.data ?? []
  // A field of one person holds their name: that is no search.
  const isSearch = search !== '' && !all.some(({ fullname }) => fullname === search)
  const query = { search: search || undefined, perPage: 100 }
  const found = useCall(users.list, { query }, { enabled: maySee && isSearch, keepPrevious: true }).data?.data
  const people: TeamMember[] = maySee ? (isSearch && found) || all : own ? [own] : []
  return { people, typed, setTyped }
}
