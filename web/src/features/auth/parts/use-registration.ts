import { auth } from '@isotherm/contract/auth.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** Who may sign a company up here. */
export const useRegistration = () =>
  useQuery({ queryKey: ['registration'], queryFn: ({ signal }) => call(auth.registration, undefined, { signal }) })
