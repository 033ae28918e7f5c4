import { onCall } from '@isotherm/contract/on-call.ts'
import { refetchCalls } from '../../lib/query.ts'

export const refetchRotas = () => refetchCalls(onCall.rotas)
export const refetchNotes = () => refetchCalls(onCall.notes)
