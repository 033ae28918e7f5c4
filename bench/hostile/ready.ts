import type { Request } from './client.ts'
import type { Who } from './step.ts'
import type { Side } from './world.ts'

export type Caller = Who | 'garbage' | 'odd' | 'ended'

/** A request as it is sent to the scene of now. */
export interface Ready extends Request {
  caller: Caller
  side: Side
  /** Whether it may be answered without a session; true where that is not known. */
  isOpen: boolean
  /** The source it was made of, for the table of a failure. */
  origin: string
}
