import { Locale } from '@isotherm/contract/common.ts'
import { allows } from '@isotherm/contract/permissions.ts'
import { actorOf } from '../../platform/auth/actor-of.ts'
import type { Caller } from '../../platform/auth/people.ts'
import type { Context } from '../../platform/context.ts'

export interface PersonRef {
  companyId: number
  userId: string
}

/** The context of a person who did not log in: they do and see what their role lets them by then. */
export const personContext = (
  person: Caller,
  more: Pick<Context, 'services' | 'clock' | 'origin' | 'tx' | 'companyId' | 'audit' | 'enqueue' | 'afterCommit'>,
): Context => ({
  ...more,
  locale: Locale.parse(person.locale),
  sessionHash: Buffer.alloc(0),
  callKey: null,
  person,
  actor: actorOf(person),
  can: (permission) => allows(person.permissions, permission),
})
